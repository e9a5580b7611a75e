import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ModelHandler, type ModelReply, type ModelServer, startModelServer } from "@agentcompass/runner/testing";
import { onTestFinished } from "vitest";
import { agentcompass, type CommandOptions, type Ended, temporaryDirectory } from "../cli/command.ts";

// biome-ignore lint/suspicious/noExplicitAny: experiments look into documents of any shape
type Json = any;

/** A working directory with tasks, an endpoint, and the built command between them. */
export type Lab = {
  readonly cwd: string;
  readonly model: ModelServer;
  /** `run jsonl openai_chat m` with one call of the client per attempt, quick retries, and these arguments. */
  run(runId: string, args?: readonly string[], options?: CommandOptions): Promise<Ended>;
  launch(file: string, requests: readonly object[], args?: readonly string[]): Promise<Ended>;
  /** A finished or stopped run of the namespace of `run`. */
  look(runId: string, namespace?: string): Promise<Run>;
};

export type Run = {
  readonly info: Json;
  /** Numbers of task directories by state: normal, error, fatal, running. */
  readonly tasks: Readonly<Record<string, number>>;
  /** Undefined when no report was written. */
  readonly metrics: Json | undefined;
  readonly summary: string | undefined;
  /** Statuses of the run_finished events. */
  readonly ends: readonly string[];
  readonly events: readonly Json[];
  /** Paths below the run's directory. */
  readonly files: readonly string[];
  json(path: RegExp): Promise<Json>;
};

/** A server that fails; its header keeps the client's own two retries from waiting, AgentCompass's client heeds it too. */
export const failing: ModelReply = { status: 500, headers: { "retry-after-ms": "1" } };

const NAMESPACE = "m_jsonl_openai_chat";

/** Quick waits, and the log kept out of the way. */
const EXECUTION = { retry_min_delay_seconds: 0.05, retry_max_delay_seconds: 0.1 };

export async function openLab(answers: ModelHandler | readonly ModelReply[], tasks = 1): Promise<Lab> {
  const cwd = await temporaryDirectory();
  const model = await startModelServer(answers);
  onTestFinished(() => model.close());
  const lines = Array.from({ length: tasks }, (_, index) =>
    JSON.stringify({ id: `t${index}`, input: `question ${index}`, expected: "42" }),
  );
  await writeFile(join(cwd, "tasks.jsonl"), lines.join("\n"));
  return {
    cwd,
    model,
    run: (runId, args = [], options = {}) =>
      agentcompass([...runArguments(model.url, runId, args), ...args], { cwd, ...options }),
    launch: async (file, requests, args = []) => {
      await writeFile(join(cwd, file), JSON.stringify({ defaults: defaults(model.url), requests }));
      return agentcompass(
        ["launch", file, "--run-id", "r", "--json", "--log-level", "CRITICAL", "--progress", "none", ...args],
        { cwd },
      );
    },
    look: (runId, namespace = NAMESPACE) => look(join(cwd, "results", namespace, runId)),
  };
}

function runArguments(url: string, runId: string, given: readonly string[]): string[] {
  const execution = given.includes("--execution-params") ? [] : ["--execution-params", JSON.stringify(EXECUTION)];
  return [
    ...["run", "jsonl", "openai_chat", "m", "--run-id", runId, "--log-level", "CRITICAL", "--progress", "none"],
    ...[
      "--benchmark-params",
      '{"path": "tasks.jsonl", "scorer": "includes"}',
      "--harness-params",
      '{"max_retries": 1}',
    ],
    ...["--model-base-url", url, "--model-api-key", "k", ...execution],
  ];
}

function defaults(url: string): object {
  return {
    benchmark: { id: "jsonl", path: "tasks.jsonl", scorer: "includes" },
    harness: { id: "openai_chat", max_retries: 1 },
    environment: { id: "host_process" },
    model: { id: "m", base_url: url, api_key: "k" },
    execution: EXECUTION,
  };
}

async function look(directory: string): Promise<Run> {
  const files = await readdir(directory, { recursive: true });
  const text = async (path: string): Promise<string | undefined> =>
    files.includes(path) ? readFile(join(directory, path), "utf8") : undefined;
  const json = async (path: string): Promise<Json> => JSON.parse((await text(path)) ?? "null");
  const events = ((await text("progress.jsonl")) ?? "").split("\n").filter(Boolean);
  const parsed: Json[] = events.map((line) => JSON.parse(line));
  const metrics = await json("metrics.json");
  return {
    info: await json("run_info.json"),
    tasks: countTasks(files),
    metrics: metrics ?? undefined,
    summary: await text("summary.md"),
    ends: parsed.filter(({ event }) => event === "run_finished").map(({ status }) => status),
    events: parsed,
    files,
    json: async (pattern) => json(files.find((path) => pattern.test(path)) ?? "absent"),
  };
}

function countTasks(files: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const path of files) {
    const state = /^details\/([^/]+)\/[^/]+\/task\.json$/.exec(path)?.[1];
    if (state !== undefined) counts[state] = (counts[state] ?? 0) + 1;
  }
  return counts;
}
