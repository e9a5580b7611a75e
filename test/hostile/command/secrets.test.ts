import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ModelRequest, startModelServer } from "@agentcompass/runner/testing";
import { describe, expect, it } from "vitest";
import { agentcompass, type Ended, temporaryDirectory } from "../../cli/command.ts";
import { calls, submits } from "../agent.ts";

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

/**
 * One run of two tasks: the first puts a secret into its directory and stays until the second has looked everywhere. The directory of
 * the caller is open to every user; what is closed in it is closed by AgentCompass, but for the caller's home.
 */
async function evaluate(
  key: string,
): Promise<{ readonly ended: Ended; readonly loot: Loot; readonly keysSent: Set<string> }> {
  const cwd = await temporaryDirectory();
  await chmod(cwd, 0o755);
  const home = join(cwd, "home");
  await mkdir(join(home, ".config"), { recursive: true });
  await chmod(home, 0o700);
  await writeFile(join(home, ".config", "token"), "CANARY-home");
  await mkdir(join(cwd, "tmp"));
  const tasks = ["first", "second"].map((id) => JSON.stringify({ id, input: `task ${id}`, expected: "[uid]" }));
  await writeFile(join(cwd, "tasks.jsonl"), tasks.join("\n"));
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

const exposures = ({ stderr }: Ended): readonly string[] =>
  stderr.split("\n").filter((line) => line.includes("host_process: commands of the model run on this machine"));

function expectNothingGiven(loot: Loot): void {
  for (const section of ["env", "own", "cmdline"]) expect(loot[section]).not.toContain("CANARY");
  expect(loot["env"]).toContain("HOME=");
  expect(loot["cmdline"]).toContain("mini_swe_agent");
}

function asRoot(): void {
  it("runs as another user and reads nothing of the caller's processes, home, results and state, nor of another task", async () => {
    const { ended, loot, keysSent } = await evaluate("${MODEL_KEY}");
    expect(ended.code).toBe(0);
    expect([...keysSent]).toEqual(["Bearer CANARY-key"]);
    expectNothingGiven(loot);
    expect(Number(loot["uid"])).toBeGreaterThanOrEqual(61_184);
    for (const section of ["environ", "home", "results", "state", "sessions"])
      expect([section, loot[section]?.trim()]).toEqual([section, ""]);
    expect(exposures(ended)).toEqual([expect.stringContaining("what every user may read stays readable")]);
  });
}

function asOrdinaryUser(): void {
  it("is given no secret, and the run says in one line what it could read all the same", async () => {
    const { ended, loot } = await evaluate("${MODEL_KEY}");
    expect(ended.code).toBe(0);
    expectNothingGiven(loot);
    expect(Number(loot["uid"])).toBe(process.getuid?.());
    expect(loot["environ"]).toContain("CANARY-variable");
    expect(loot["home"]).toContain("CANARY-home");
    expect(loot["results"]).toContain("mini_swe_agent");
    expect(loot["sessions"]).toContain("CANARY-session");
    const [line, ...more] = exposures(ended);
    expect(more).toEqual([]);
    for (const word of ["your files", "results", "other tasks", "environment", "keys", "stay readable"])
      expect(line).toContain(word);
  });
}

const isRoot = process.getuid?.() === 0;
describe(isRoot ? "a hostile agent, started as root" : "a hostile agent, started as an ordinary user", () => {
  (isRoot ? asRoot : asOrdinaryUser)();

  it("does not find a key on the command line of the caller, also where it was given as text", async () => {
    const { ended, loot, keysSent } = await evaluate("CANARY-text");
    expect(ended.code).toBe(0);
    expect([...keysSent]).toEqual(["Bearer CANARY-text"]);
    expectNothingGiven(loot);
    expect(loot["cmdline"]).toContain("--model-api-key ********");
  });
});
