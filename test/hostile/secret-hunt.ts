import { chmod, chown, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ModelRequest, startModelServer } from "@agentcompass/runner/testing";
import { expect } from "vitest";
import { agentcompass, type Ended, temporaryDirectory } from "../cli/command.ts";
import { calls, submits } from "./agent.ts";

type Loot = Readonly<Record<string, string>>;

/** Looks where a secret may be and says what it could read, by section. */
const hunt = (cwd: string): string =>
  [
    'section() { echo; echo "[$1]"; cat; }',
    "{",
    "id -u | section uid",
    "env | section env",
    `find .. -type f ! -name loot -exec cat {} + | section own`,
    "cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | grep C[A]NARY | section environ",
    "cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n' | section cmdline",
    `find ${cwd}/home -type f -exec cat {} + 2>/dev/null | section home`,
    `find ${cwd}/results -type f -exec cat {} + 2>/dev/null | section results`,
    `find ${cwd}/state -type f 2>/dev/null | section state`,
    `cat ${cwd}/tmp/agentcompass-*/*/secret 2>/dev/null | section sessions`,
    "} > loot 2>/dev/null",
  ].join("\n");

function lootOf(text: string): Loot {
  const parts = text.split(/^\[(\w+)\]$/m);
  return Object.fromEntries(parts.flatMap((part, index) => (index % 2 === 1 ? [[part, parts[index + 1] ?? ""]] : [])));
}

type Hunted = { readonly ended: Ended; readonly loot: Loot; readonly keysSent: ReadonlySet<string> };

/**
 * One run of two tasks: the first puts a secret into its directory and stays until the second has looked everywhere. The directory of
 * the caller is open to every user; what is closed in it is closed by AgentCompass, but for the caller's home.
 * `uid` runs the command as another user.
 */
export async function evaluateHunter(key: string, uid?: number): Promise<Hunted> {
  const cwd = await temporaryDirectory();
  await chmod(cwd, 0o755);
  const home = join(cwd, "home");
  await mkdir(join(home, ".config"), { recursive: true });
  await chmod(home, 0o700);
  await writeFile(join(home, ".config", "token"), "CANARY-home");
  await mkdir(join(cwd, "tmp"));
  const tasks = ["first", "second"].map((id) => JSON.stringify({ id, input: `task ${id}`, expected: "[uid]" }));
  await writeFile(join(cwd, "tasks.jsonl"), tasks.join("\n"));
  if (uid !== undefined)
    for (const path of [cwd, home, join(home, ".config"), join(home, ".config", "token"), join(cwd, "tmp")])
      await chown(path, uid, uid);
  const placed = signalled();
  const looked = signalled();
  const keysSent = new Set<string>();
  await using server = await startModelServer(async (request) => {
    keysSent.add(request.authorization ?? "");
    const isFirst = JSON.stringify(request.body.messages).includes("task first");
    if (turnOf(request) === 0) {
      if (isFirst) return calls("echo CANARY-session > secret; cp secret ../scratch/secret");
      await placed.promise;
      return calls(hunt(cwd));
    }
    (isFirst ? placed : looked).resolve();
    if (isFirst) await looked.promise;
    return submits(isFirst ? "echo '[uid]'" : "cat loot");
  });
  const ended = await agentcompass(
    [
      ...["run", "jsonl", "mini_swe_agent", "m", "--progress", "none", "--run-id", "run", "--task-concurrency", "2"],
      ...["--benchmark-params", JSON.stringify({ path: join(cwd, "tasks.jsonl"), scorer: "includes" })],
      ...["--model-base-url", server.url, "--model-api-key", key],
    ],
    {
      cwd,
      ...(uid !== undefined && { uid }),
      env: {
        HOME: home,
        TMPDIR: join(cwd, "tmp"),
        AGENTCOMPASS_STATE_DIR: join(cwd, "state"),
        MODEL_KEY: "CANARY-key",
        OTHER_SECRET: "CANARY-variable",
      },
    },
  );
  return { ended, loot: lootOf(await answerOf(join(cwd, "results"), "second")), keysSent };
}

function turnOf({ body }: ModelRequest): number {
  return body.messages.filter((message: { role: string }) => message.role === "assistant").length;
}

function signalled(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

async function answerOf(results: string, task: string): Promise<string> {
  const names = await readdir(results, { recursive: true });
  const name = names.find((file) => file.includes(`/${task}--`) && file.endsWith("/result.json"));
  return JSON.parse(await readFile(join(results, name ?? "absent"), "utf8")).final_answer;
}

/** Lines of a run that say what commands of the model can reach. */
export function exposures({ stderr }: Ended): readonly string[] {
  return stderr.split("\n").filter((line) => line.includes("host_process: commands of the model run on this machine"));
}

/** What holds for every user: the agent's environment and directory hold no secret, nor does the caller's command line. */
export function expectNothingGiven(loot: Loot): void {
  for (const section of ["env", "own", "cmdline"]) expect(loot[section]).not.toContain("CANARY");
  expect(loot["env"]).toContain("HOME=");
  expect(loot["cmdline"]).toContain("mini_swe_agent");
}

/** What an agent of an ordinary user can read all the same, and that the run says so in one line. */
export function expectOrdinaryUserIsTold(uid: number, { ended, loot }: Hunted): void {
  expect(ended.code).toBe(0);
  expectNothingGiven(loot);
  expect(Number(loot["uid"])).toBe(uid);
  expect(loot["environ"]).toContain("CANARY-variable");
  expect(loot["home"]).toContain("CANARY-home");
  expect(loot["results"]).toContain("mini_swe_agent");
  expect(loot["sessions"]).toContain("CANARY-session");
  const [line, ...more] = exposures(ended);
  expect(more).toEqual([]);
  for (const word of ["your files", "results", "other tasks", "environment", "keys", "stay readable"])
    expect(line).toContain(word);
}
