import { spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ModelReply, type ModelRequest, startModelServer } from "@agentcompass/runner/testing";
import type { Json } from "./agentcompass-reader.ts";

const COMMAND = fileURLToPath(new URL("../../packages/cli/bin/agentcompass.js", import.meta.url));

/** What the model does at one call: an answer that is right or wrong, a failure, or never ending. */
export type Answer = "right" | "wrong" | "empty" | "500" | "401" | "400" | "silent";

/** A task and what the model does at its first, second, ... call; the last repeats. */
export type ScriptedTask = {
  readonly id: string;
  readonly category?: string | null | undefined;
  readonly answers: readonly Answer[];
};

export type Run = {
  readonly directory: string;
  readonly metrics: Json;
  readonly summary: string;
  /** run_info.json */
  readonly info: Json;
  readonly status: string;
  readonly exitCode: number | null;
};

export type RunOptions = {
  readonly place: string;
  readonly runId: string;
  readonly tasks: readonly ScriptedTask[];
  readonly benchmarkParams?: object;
  readonly options?: readonly string[];
  /** A configuration file over the user's. */
  readonly config?: object;
  /** Sends SIGINT when the model has been asked so many times. */
  readonly interruptAt?: number;
};

/** Runs the built command on the benchmark `jsonl` against a scripted model and reads the directory that it left. */
export async function runScripted({ place, runId, tasks, benchmarkParams, options, config, interruptAt }: RunOptions) {
  const path = join(place, `${runId}.jsonl`);
  const line = ({ id, category }: ScriptedTask, index: number) => ({
    id,
    category,
    input: prompt(index),
    expected: 42,
  });
  await writeFile(path, tasks.map((task, index) => `${JSON.stringify(line(task, index))}\n`).join(""));
  await using server = await startModelServer(scriptOf(tasks));
  const args = [
    ...["run", "jsonl", "openai_chat", "scripted-model", "--run-id", runId, "--results-dir", join(place, "results")],
    ...["--benchmark-params", JSON.stringify({ path, scorer: "numeric", ...benchmarkParams })],
    ...["--harness-params", '{"max_retries": 1}', "--model-base-url", server.url, "--model-api-key", "k"],
    ...["--execution-params", '{"retry_min_delay_seconds": 0.01, "retry_max_delay_seconds": 0.02}'],
    ...["--progress", "none", ...(options ?? [])],
  ];
  if (config) {
    const file = join(place, `${runId}.config.yaml`);
    await writeFile(file, JSON.stringify(config));
    args.push("--config", file);
  }
  const exitCode = await agentcompass(args, place, () => server.requests.length >= (interruptAt ?? Infinity));
  return readRun(join(place, "results", "scripted-model_jsonl_openai_chat", runId), exitCode);
}

/** Runs the built command with the given arguments; interrupts it once `isTime`. Returns its exit status. */
export async function agentcompass(args: readonly string[], home: string, isTime?: () => boolean) {
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, XDG_CONFIG_HOME: join(home, "config") };
  const child = spawn(process.execPath, [COMMAND, ...args], { cwd: home, env, stdio: "ignore" });
  const timer = setInterval(() => {
    if (isTime?.()) {
      clearInterval(timer);
      child.kill("SIGINT");
    }
  }, 20);
  try {
    return await new Promise<number | null>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", resolve);
    });
  } finally {
    clearInterval(timer);
  }
}

/** Reads a run directory; `metrics` is undefined and `summary` empty where the run made no report. */
export async function readRun(directory: string, exitCode: number | null): Promise<Run> {
  const metrics = await readFile(join(directory, "metrics.json"), "utf8").catch(() => undefined);
  const info = JSON.parse(await readFile(join(directory, "run_info.json"), "utf8"));
  return {
    directory,
    metrics: metrics === undefined ? undefined : JSON.parse(metrics),
    summary: await readFile(join(directory, "summary.md"), "utf8").catch(() => ""),
    info,
    status: info.status,
    exitCode,
  };
}

export function results(run: Run): string {
  return dirname(run.directory);
}

function prompt(index: number): string {
  return `Question ${index}: what is six times seven?`;
}

function scriptOf(tasks: readonly ScriptedTask[]): (request: ModelRequest) => ModelReply {
  const calls = new Map<number, number>();
  return ({ prompt: text }) => {
    const index = Number(/\d+/.exec(text)?.[0]);
    const call = calls.get(index) ?? 0;
    calls.set(index, call + 1);
    const answers = tasks[index]?.answers ?? [];
    return REPLIES[answers[Math.min(call, answers.length - 1)] ?? "right"];
  };
}

// The client would repeat a failed call by itself; so each call of a script is one execution of the attempt.
const headers = { "x-should-retry": "false" };

const REPLIES: Readonly<Record<Answer, ModelReply>> = {
  right: { content: "It is 42." },
  wrong: { content: "It is 41." },
  empty: { content: "" },
  500: { status: 500, error: "scripted failure", headers },
  401: { status: 401, error: "scripted refusal", headers },
  400: { status: 400, error: "scripted refusal", headers },
  silent: { hang: "request" },
};
