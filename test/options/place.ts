import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { AgentCompassError } from "@agentcompass/core";
import type { OpenAsk } from "@agentcompass/core/plugin";
import {
  components,
  type LaunchOptions,
  type LaunchSpec,
  launch,
  type OrchestrationResult,
  type RunEvaluationOptions,
  runOutcome,
} from "@agentcompass/sdk";
import { onTestFinished } from "vitest";
import { withWork } from "./components.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests look into documents of any shape
export type Json = any;

type Execution = Parameters<typeof import("./components.ts").withWork>[1];

/** A machine of its own for one test: working directory, home, configuration, state, and components that the test controls. */
export type Place = {
  readonly path: string;
  /** What the harness `worker` and the benchmark `work` do; a test sets it before it runs. */
  readonly execution: Execution;
  /** What environments were asked when they were opened. */
  readonly opened: OpenAsk[];
  /** Writes a file below the working directory and returns its path. */
  write(name: string, content: string | object): Promise<string>;
  /** One evaluation of `work` by `worker`; the options go over these. */
  run(options?: Partial<RunEvaluationOptions>): Promise<Ended>;
  /** A launch with defaults of `work` by `worker`. */
  launch(spec: LaunchSpec, options?: LaunchOptions): Promise<OrchestrationResult>;
};

export type Ended = {
  readonly status: string;
  readonly error: string;
  readonly directory: string;
  readonly result: Json;
  /** Value of the first series. */
  readonly score: number | null;
  /** Parsed JSON of a file of the run. */
  json(name: string): Promise<Json>;
  text(name: string): Promise<string>;
  /** result.json of an attempt of the task `t<number>`. */
  attempt(task?: number, attempt?: number): Promise<Json>;
};

const VARIABLES = [
  "HOME",
  "XDG_CONFIG_HOME",
  "XDG_STATE_HOME",
  "AGENTCOMPASS_STATE_DIR",
  "AGENTCOMPASS_AUTO_INSTALL_DEPENDENCIES",
];

/** The environment of requests that say nothing else: a file must name one. */
export const HOST = { id: "host_process" };

export async function createPlace(): Promise<Place> {
  const path = await mkdtemp(join(tmpdir(), "agentcompass-options-"));
  const before = process.cwd();
  for (const name of VARIABLES) setVariable(name, undefined);
  setVariable("HOME", join(path, "home"));
  process.chdir(path);
  onTestFinished(async () => {
    process.chdir(before);
    await rm(path, { recursive: true, force: true });
  });
  const opened: OpenAsk[] = [];
  const execution: Execution = {};
  const catalog = withWork(await components(), execution, opened);
  const work = { benchmark: "work", harness: "worker", model: "none", catalog };
  return {
    path,
    execution,
    opened,
    async write(name, content) {
      const file = join(path, name);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
      return file;
    },
    run: async (options = {}) => endedOf(await runOutcome({ ...work, ...options })),
    launch: (spec, options = {}) => launch(spec, { catalog, ...options }),
  };
}

/** Sets a variable of this process until the test ends. */
export function setVariable(name: string, value: string | undefined): void {
  const before = process.env[name];
  assign(name, value);
  onTestFinished(() => assign(name, before));
}

function assign(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}

/** One request of a finished orchestration. */
export function endedOf(result: OrchestrationResult, name = "run"): Ended {
  const outcome = result.requests[name];
  if (!outcome) throw new Error(`there is no request ${name}`);
  const directory = outcome.paths["output_dir"] ?? "";
  const metrics = outcome.result?.["metrics"] as Json;
  const text = (file: string): Promise<string> => readFile(join(directory, file), "utf8");
  return {
    status: outcome.status,
    error: outcome.error,
    directory,
    result: outcome.result,
    score: metrics?.series[0].value ?? null,
    text,
    json: async (file) => JSON.parse(await text(file)),
    attempt: async (task = 1, attempt = 1) =>
      JSON.parse(await readFile(await resultPath(directory, task, attempt), "utf8")),
  };
}

async function resultPath(directory: string, task: number, attempt: number): Promise<string> {
  const files = await readdir(join(directory, "details"), { recursive: true });
  const found = files.find((file) => file.includes(`/t${task}--`) && file.endsWith(`attempt-${attempt}/result.json`));
  if (found === undefined) throw new Error(`no result of t${task}, attempt ${attempt}`);
  return join(directory, "details", found);
}

/** Names in a directory; none when it is not there. */
export function namesIn(path: string): Promise<string[]> {
  return readdir(path).catch(() => []);
}

/** The line that some work is refused with. */
export async function refused(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (!AgentCompassError.isInstance(error)) throw error;
    return `${error.code}: ${error.message}`;
  }
  throw new Error("expected a refusal, but it went well");
}

/** Everything that ran at the same time, as `enter` and `leave` are called. */
export function countOverlap(): { most: number; during<T>(work: () => Promise<T>): Promise<T> } {
  let now = 0;
  const counted = {
    most: 0,
    async during<T>(work: () => Promise<T>): Promise<T> {
      now += 1;
      counted.most = Math.max(counted.most, now);
      try {
        return await work();
      } finally {
        now -= 1;
      }
    },
  };
  return counted;
}

export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop);
  });
}
