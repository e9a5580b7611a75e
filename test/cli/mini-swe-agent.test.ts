import { readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type ModelReply, type ModelRequest, startModelServer } from "@agentcompass/runner/testing";
import { describe, expect, it } from "vitest";
import { agentcompass, ROOT, temporaryDirectory } from "./command.ts";

// biome-ignore lint/suspicious/noExplicitAny: documents are read as a user's script would read them
type Json = any;

const STARTER = join(ROOT, "packages/runner/data/starter");
const MARKER = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT";

function bash(command: string, id = "c1"): ModelReply {
  const call = { id, type: "function", function: { name: "bash", arguments: JSON.stringify({ command }) } };
  return { content: "", tool_calls: [call], stop_reason: "tool_calls" };
}

/** The tasks that a model is taught by their own solutions. */
async function solutions(): Promise<ReadonlyMap<string, string>> {
  const names = await readdir(STARTER);
  const read = async (name: string, file: string) => readFile(join(STARTER, name, file), "utf8");
  const pairs = names.map(
    async (name) => [(await read(name, "instruction.md")).trim(), await read(name, "solution/solve.sh")] as const,
  );
  return new Map(await Promise.all(pairs));
}

/** A model that knows every starter task: it looks, solves, checks and submits. */
async function knowingModel(): Promise<(request: ModelRequest) => ModelReply> {
  const known = [...(await solutions())];
  return ({ body }) => {
    const told = String(body.messages[1].content);
    const solution = known.find(([instruction]) => told.includes(instruction))?.[1] ?? "echo unknown; exit 1";
    const steps = ["ls -la", solution, "ls", `echo ${MARKER}`];
    const done = body.messages.filter((message: Json) => message.role === "assistant").length;
    return bash(steps[done] ?? "true", `call_${done}`);
  };
}

async function run(url: string, harnessParams: object, more: readonly string[] = []) {
  const cwd = await temporaryDirectory();
  const ended = await agentcompass(
    [
      ...["run", "starter", "mini_swe_agent", "scripted", "--model-base-url", url, "--model-api-key", "k", "--json"],
      ...["--benchmark-params", '{"sample_ids": "fix-median"}', "--harness-params", JSON.stringify(harnessParams)],
      ...["--max-retries", "1", ...more],
    ],
    { cwd },
  );
  const metrics = JSON.parse(await readFile(JSON.parse(ended.stdout).paths.metrics_json, "utf8"));
  const directory = dirname(JSON.parse(ended.stdout).paths.metrics_json);
  return { ...ended, metrics, attempt: await onlyAttempt(directory) };
}

async function onlyAttempt(directory: string): Promise<Json> {
  for (const state of ["normal", "error", "fatal"]) {
    const [task] = await readdir(join(directory, "details", state)).catch(() => []);
    if (task === undefined) continue;
    return JSON.parse(await readFile(join(directory, "details", state, task, "attempt-1", "result.json"), "utf8"));
  }
  throw new Error(`no attempt in ${directory}`);
}

describe("mini_swe_agent on starter tasks", () => {
  it("solves all twelve by examples/mini-swe-agent.yaml with a model that knows how", async () => {
    await using server = await startModelServer(await knowingModel());
    const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: "k", OPENAI_MODEL: "scripted" };
    const cwd = await temporaryDirectory();
    const { code, stdout, stderr } = await agentcompass(
      ["launch", join(ROOT, "examples/mini-swe-agent.yaml"), "--json"],
      { cwd, env },
    );
    expect(code, stderr).toBe(0);
    const { paths } = JSON.parse(stdout).requests.agent.result;
    const metrics = JSON.parse(await readFile(paths.metrics_json, "utf8"));
    expect(metrics.series[0]).toMatchObject({ value: 1, counts: { total: 12, evaluated: 12, error: 0 } });
    expect(server.requests).toHaveLength(48);
  });

  it("keeps its steps, its own trajectory and its tokens", async () => {
    await using server = await startModelServer(await knowingModel());
    const { code, attempt, metrics } = await run(server.url, {});
    expect(code).toBe(0);
    expect(attempt).toMatchObject({ status: "completed", metrics: { correct: true }, issues: [], final_answer: "" });
    expect(attempt.trajectory.steps).toHaveLength(4);
    expect(attempt.artifacts.mini_swe_agent_raw_trajectory).toMatchObject({
      trajectory_format: "mini-swe-agent-1.1",
      info: { exit_status: "Submitted", mini_version: "2.4.5" },
    });
    expect(attempt.meta.harness.telemetry).toMatchObject({ exit_status: "Submitted", api_calls: 4 });
    expect(metrics.statistics).toMatchObject({ calls: 4, tokens: { prompt: 40, completion: 20 } });
  });

  it("judges what was done when the steps are used up", async () => {
    await using server = await startModelServer(await knowingModel());
    const { attempt, metrics } = await run(server.url, { step_limit: 2 });
    expect(attempt).toMatchObject({
      status: "run_error",
      metrics: { correct: true },
      issues: [{ severity: "error", code: "harness_max_iterations" }],
    });
    expect(metrics.series[0].value).toBe(1);
  });

  it("ends when its calls cost what is allowed by the configured prices", async () => {
    await using server = await startModelServer(await knowingModel());
    const config = join(await temporaryDirectory(), "prices.yaml");
    await writeFile(config, "prices: { scripted: { input: 10000, output: 0 } }\n");
    const { attempt } = await run(server.url, { cost_limit: 0.2, cost_tracking: "default" }, ["--config", config]);
    expect(server.requests).toHaveLength(2);
    expect(attempt).toMatchObject({ metrics: { correct: true }, issues: [{ code: "harness_limit_reached" }] });
    expect(attempt.meta.harness.telemetry.instance_cost).toBeCloseTo(0.2, 12);
  });

  it("judges what was done when the context is full", async () => {
    const known = await knowingModel();
    await using server = await startModelServer((request, index) => {
      if (index < 2) return known(request);
      const error = { message: "This model's maximum context length is 8 tokens.", code: "context_length_exceeded" };
      return { status: 400, body: { error } };
    });
    const { attempt } = await run(server.url, {});
    expect(attempt).toMatchObject({
      metrics: { correct: true },
      issues: [{ severity: "error", code: "model_context_overflow" }],
    });
    expect(attempt.trajectory.steps).toHaveLength(2);
  });

  it("stops by itself before the time of the run is over, and judges what was done", async () => {
    const known = await knowingModel();
    await using server = await startModelServer((request, index) => (index < 2 ? known(request) : { hang: "request" }));
    const { attempt } = await run(server.url, {}, ["--execution-params", '{"run_timeout_seconds": 2}']);
    expect(attempt).toMatchObject({
      metrics: { correct: true },
      issues: [{ severity: "error", code: "harness_failed" }],
    });
    expect(attempt.artifacts.mini_swe_agent_raw_trajectory.info.exit_status).toBe("TimeExceeded");
  });

  it("refuses launch mode remote and another version by name, before anything is written", async () => {
    for (const [params, name] of [
      ['{"launch_mode": "remote"}', "launch_mode"],
      ['{"version": "2.4.4"}', "version"],
    ] as const) {
      const cwd = await temporaryDirectory();
      const args = ["run", "starter", "mini_swe_agent", "m", "--harness-params", params];
      const { code, stderr } = await agentcompass([...args, "--model-base-url", "http://127.0.0.1:9/v1"], { cwd });
      expect([code, await readdir(cwd)]).toEqual([2, []]);
      expect(stderr).toContain(`harness.${name}:`);
    }
  });
});
