import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { type ModelServer, startModelServer } from "@agentcompass/runner/testing";
import { expect, it, onTestFinished } from "vitest";

const COMMAND = fileURLToPath(new URL("../../packages/cli/bin/agentcompass.js", import.meta.url));
const DATA = process.env["AGENTCOMPASS_TEST_DATA"] ?? "";
const FILE = join(DATA, "humaneval", "HumanEval.jsonl.gz");
const PROBLEMS = 164;

type Problem = { readonly prompt: string; readonly entry_point: string; readonly canonical_solution: string };

// biome-ignore lint/suspicious/noExplicitAny: what the command wrote is read as a user's script would read it
type Json = any;
type Ran = {
  readonly exitCode: number;
  readonly seconds: number;
  readonly metrics: Json;
  readonly runInfo: Json;
  readonly stderr: string;
};

async function run(args: readonly string[]): Promise<Ran> {
  const results = await mkdtemp(join(tmpdir(), "agentcompass-data-"));
  onTestFinished(() => rm(results, { recursive: true, force: true }));
  const startedAt = performance.now();
  const ended = await execute([...args, "--data-dir", DATA, "--results-dir", results, "--json"]);
  const seconds = (performance.now() - startedAt) / 1000;
  const directory = dirname(JSON.parse(ended.stdout).paths.run_info);
  const json = async (name: string): Promise<Json> => JSON.parse(await readFile(join(directory, name), "utf8"));
  return { ...ended, seconds, metrics: await json("metrics.json"), runInfo: await json("run_info.json") };
}

function execute(args: readonly string[]): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [COMMAND, "run", "humaneval", ...args],
      { maxBuffer: 64 << 20 },
      (error, stdout, stderr) => resolve({ exitCode: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

it("solves every problem with its reference solution, well within a minute", async () => {
  const ran = await run(["oracle", "none"]);
  expect(ran.exitCode, ran.stderr).toBe(0);
  expect(ran.metrics.series[0]).toMatchObject({ value: 1, counts: { total: PROBLEMS, evaluated: PROBLEMS, error: 0 } });
  expect(ran.seconds).toBeLessThan(60);
  expect(ran.runInfo.provenance.data).toMatchObject({
    source: FILE,
    checksum: `sha256:${createHash("sha256")
      .update(await readFile(FILE))
      .digest("hex")}`,
    tasks_available: PROBLEMS,
  });
  expect(ran.stderr).not.toContain("not the published");
});

it("solves no problem with an empty answer", async () => {
  const ran = await run(["nop", "none"]);
  expect(ran.exitCode, ran.stderr).toBe(0);
  expect(ran.metrics.series[0]).toMatchObject({ value: 0, counts: { total: PROBLEMS, evaluated: PROBLEMS, error: 0 } });
});

/** A model that knows the solution of the problem it is shown, and says it in its own way. */
async function knowing(answer: (problem: Problem) => string): Promise<ModelServer> {
  const text = gunzipSync(await readFile(FILE)).toString("utf8");
  const problems: readonly Problem[] = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const server = await startModelServer(({ prompt }) => {
    const problem = problems.find((one) => prompt.includes(one.prompt.trimEnd()));
    return { content: problem ? answer(problem) : "I do not know this one." };
  });
  onTestFinished(() => server.close());
  return server;
}

const functionAlone = ({ prompt, entry_point, canonical_solution }: Problem): string =>
  `${prompt.slice(prompt.search(new RegExp(`^def ${entry_point}\\(`, "m")))}${canonical_solution}`;

it.each([
  [
    "as a fenced function without the prompt's imports",
    (problem: Problem) => `Here:\n\`\`\`python\n${functionAlone(problem)}\`\`\`\n`,
  ],
  ["as a body whose surrounding blanks were trimmed", (problem: Problem) => problem.canonical_solution.trim()],
  ["as a fenced body", (problem: Problem) => `\`\`\`python\n${problem.canonical_solution}\`\`\``],
])("solves every problem with a model that answers %s", async (_case, answer) => {
  const server = await knowing(answer);
  const ran = await run(["openai_chat", "m", "--model-base-url", server.url]);
  expect(ran.metrics.series[0]).toMatchObject({ value: 1, counts: { total: PROBLEMS, evaluated: PROBLEMS } });
});

it("solves no problem with a model that leaves the body out", async () => {
  const server = await knowing(({ prompt }) => `\`\`\`python\n${prompt}    pass\n\`\`\``);
  const ran = await run(["openai_chat", "m", "--model-base-url", server.url]);
  expect(ran.metrics.series[0]).toMatchObject({ value: 0, counts: { total: PROBLEMS, evaluated: PROBLEMS } });
});
