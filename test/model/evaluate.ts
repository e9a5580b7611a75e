import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const COMMAND = fileURLToPath(new URL("../../packages/cli/bin/agentcompass.js", import.meta.url));
/** Twice the time it takes on a machine that is busy with other work. */
const TIMEOUT_MS = 780_000;

export type Evaluation = {
  readonly exitCode: number | null;
  readonly stderr: string;
  /** The object that `run --json` prints. */
  readonly result: Json;
  readonly summary: string;
  readonly metrics: Json;
  readonly runInfo: Json;
  /** Directory of the run. */
  readonly directory: string;
};

// biome-ignore lint/suspicious/noExplicitAny: what the command wrote is read as a user's script would read it
export type Json = any;

type Ask = {
  readonly benchmark: string;
  /** Default openai_chat. */
  readonly harness?: string;
  readonly benchmarkParams: object;
  readonly harnessParams?: object;
  readonly modelParams: object;
  readonly resultsDir: string;
  readonly taskConcurrency: number;
};

/** Where the endpoint is; test-model.mjs sets it. */
export const MODEL_URL = required("AGENTCOMPASS_MODEL_URL");
export const MODEL_ID = required("AGENTCOMPASS_MODEL_ID");
export const DATA_DIR = required("AGENTCOMPASS_TEST_DATA");

/** Runs the built command against the endpoint and reads what it left; fails with its stderr when it printed no result. */
export async function evaluate(ask: Ask): Promise<Evaluation> {
  const { exitCode, stdout, stderr } = await execute([
    ...["run", ask.benchmark, ask.harness ?? "openai_chat", MODEL_ID],
    ...["--harness-params", JSON.stringify(ask.harnessParams ?? {})],
    ...["--model-base-url", `${MODEL_URL}/v1`, "--model-api-key", "x"],
    ...["--benchmark-params", JSON.stringify(ask.benchmarkParams), "--model-params", JSON.stringify(ask.modelParams)],
    ...["--data-dir", DATA_DIR, "--results-dir", ask.resultsDir],
    ...["--task-concurrency", String(ask.taskConcurrency), "--progress", "plain", "--json"],
  ]);
  const result = parse(stdout, exitCode, stderr);
  const directory = dirname(result.paths.run_info);
  return {
    exitCode,
    stderr,
    result,
    directory,
    summary: await readFile(result.paths.summary_md, "utf8"),
    metrics: JSON.parse(await readFile(result.paths.metrics_json, "utf8")),
    runInfo: JSON.parse(await readFile(join(directory, "run_info.json"), "utf8")),
  };
}

/** The id that the endpoint itself puts into an answer. */
export async function servedModelId(): Promise<string> {
  const response = await fetch(`${MODEL_URL}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: MODEL_ID, messages: [{ role: "user", content: "Hello" }], max_tokens: 1 }),
  });
  const answer: Json = await response.json();
  return answer.model;
}

function execute(args: readonly string[]): Promise<{ exitCode: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [COMMAND, ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      timeout: TIMEOUT_MS,
    });
    const output = { stdout: "", stderr: "" };
    for (const stream of ["stdout", "stderr"] as const) {
      child[stream].setEncoding("utf8").on("data", (text: string) => {
        output[stream] += text;
      });
    }
    child.on("error", reject);
    child.on("close", (exitCode) => resolve({ exitCode, ...output }));
  });
}

function parse(stdout: string, exitCode: number | null, stderr: string): Json {
  try {
    return JSON.parse(stdout);
  } catch (cause) {
    throw new Error(
      `exit ${exitCode}, no JSON on stdout (${stdout.slice(0, 200)}); stderr ends: ${stderr.slice(-2000)}`,
      {
        cause,
      },
    );
  }
}

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set; run the suite by: npm run test:model`);
  return value;
}
