import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startModelServer } from "@agentcompass/runner/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Json, type Reader, startReader } from "./agentcompass-reader.ts";
import { agentcompass, readRun, runScripted } from "./agentcompass-run.ts";
import graded from "./graded-benchmark.ts";

let place: string;
let reader: Reader;

const CORRECT = [{ id: "correct", kind: "binary_success", primary: true }] as const;

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "agentcompass-peers-"));
  const ours = ["jsonl", "starter"].map((id) => ({ id, metrics: CORRECT }));
  reader = await startReader([...ours, { id: graded.id, metrics: graded.metrics ?? [] }]);
});

afterAll(async () => {
  await reader?.close();
  await rm(place, { recursive: true, force: true });
});

function shared(metrics: Json): Json {
  const { statistics: _, ...rest } = metrics;
  return rest;
}

describe("AgentCompass reads scores that are numbers", () => {
  it.each([1, 3])("with k = %i, to the last bit", async (k) => {
    let call = 0;
    // Sums of these depend on their order unless they are exact.
    await using server = await startModelServer(() => ({
      content: String([0.1, 1e-17, 0.7, 1 / 3, 1e15][call++ % 5]),
    }));
    const component = fileURLToPath(new URL("graded-benchmark.ts", import.meta.url));
    const args = [
      ...["run", "graded", "openai_chat", "scripted-model", "--component", component, "--run-id", `graded-${k}`],
      ...["--model-base-url", server.url, "--model-api-key", "k", "--results-dir", join(place, "results")],
      ...["--k", String(k), "--progress", "none"],
    ];
    expect(await agentcompass(args, place)).toBe(0);
    const run = await readRun(join(place, "results", "scripted-model_graded_openai_chat", `graded-${k}`), 0);
    const { metrics } = await reader.summary(run.directory);
    expect(metrics).toEqual(shared(run.metrics));
    expect(metrics.series[0]).toMatchObject({ metric_id: "score", counts: { evaluated: 7 } });
    const page = await reader.view("details-page", { path: run.directory });
    expect(page.details.map(({ metricType }: Json) => metricType)).toEqual(Array(7).fill("number"));
    const counts = await reader.view("run-counts", { path: run.directory });
    expect(counts).toMatchObject({ total: 7, completed: 7, metricKind: "number", categories: ["even", "odd"] });
  });
});

describe("AgentCompass reads runs that did not complete", () => {
  it("an interrupted one, whose unfinished tasks it shows as interrupted", async () => {
    const tasks = [
      { id: "done", category: "alpha", answers: ["right"] },
      { id: "hangs", category: "beta", answers: ["silent"] },
      { id: "waits", category: "beta", answers: ["right"] },
    ] as const;
    const options = ["--task-concurrency", "1"];
    const run = await runScripted({ place, runId: "interrupted", tasks, options, interruptAt: 2 });
    expect(run).toMatchObject({ exitCode: 130, status: "cancelled" });
    const { metrics } = await reader.summary(run.directory);
    expect(metrics.series[0]).toMatchObject({ value: 1, counts: { total: 1, evaluated: 1 } });
    const view = await reader.view("run-counts", { path: run.directory });
    expect(view).toMatchObject({ total: 1, completed: 1, correct: 1, running: 1 });
    const { details } = await reader.view("details-page", { path: run.directory, filter: "running" });
    expect(details).toMatchObject([{ taskId: "hangs", outcome: "interrupted" }]);
    const open = await reader.view("detail", { path: run.directory, file: details[0].fileName });
    expect(open.detail.running).toMatchObject({ interrupted: true });
  });

  it("one that took tasks over from it", async () => {
    const tasks = ["done", "hangs", "waits"].map((id) => ({ id, category: "alpha", answers: ["right"] as const }));
    const options = ["--reuse", "interrupted"];
    const run = await runScripted({ place, runId: "taken-over", tasks, options });
    expect(run).toMatchObject({ exitCode: 0, status: "completed" });
    const { metrics } = await reader.summary(run.directory);
    expect(metrics).toEqual(shared(run.metrics));
    const view = await reader.view("run-counts", { path: run.directory });
    expect(view).toMatchObject({ total: 3, completed: 3, correct: 3, running: 0 });
    const { runInfoJson } = await reader.view("run", { path: run.directory });
    expect(runInfoJson.reused_from.run_id).toBe("interrupted");
  });

  it("one whose model was never reached, where it gives the score that we withhold", async () => {
    const path = join(place, "unreached.jsonl");
    await writeFile(path, '{"id": "a", "input": "?", "expected": 1}\n{"id": "b", "input": "?", "expected": 1}\n');
    const exitCode = await agentcompass(
      [
        ...["run", "jsonl", "openai_chat", "scripted-model", "--run-id", "unreached", "--progress", "none"],
        ...["--results-dir", join(place, "results"), "--benchmark-params", JSON.stringify({ path })],
        ...[
          "--harness-params",
          '{"max_retries": 1}',
          "--model-base-url",
          "http://127.0.0.1:9/v1",
          "--model-api-key",
          "k",
        ],
      ],
      place,
    );
    const run = await readRun(join(place, "results", "scripted-model_jsonl_openai_chat", "unreached"), exitCode);
    expect(run).toMatchObject({ exitCode: 1, status: "failed", metrics: { evaluation_failed: true } });
    const { metrics } = await reader.summary(run.directory);
    const [theirs, ours] = [metrics.series[0], run.metrics.series[0]];
    expect(theirs).toMatchObject({ value: ours.reference_value, counts: ours.counts });
    expect(ours.value).toBe(null);
  });
});

describe("AgentCompass reads runs of tasks in an environment", () => {
  it.each(["oracle", "nop"])("by %s", async (harness) => {
    const args = ["run", "starter", harness, "none", "--run-id", "r", "--progress", "none"];
    expect(await agentcompass([...args, "--results-dir", join(place, "results")], place)).toBe(0);
    const run = await readRun(join(place, "results", `none_starter_${harness}`, "r"), 0);
    const { metrics } = await reader.summary(run.directory);
    expect(metrics).toEqual(shared(run.metrics));
    expect(metrics.series[0].value).toBe(harness === "oracle" ? 1 : 0);
    const { details } = await reader.view("details-page", { path: run.directory });
    expect(details).toHaveLength(metrics.series[0].counts.total);
    for (const { fileName, taskId, status } of details) {
      expect(status).toBe("completed");
      const { detail } = await reader.view("detail", { path: run.directory, file: fileName });
      const stored = JSON.parse(await readFile(join(run.directory, fileName), "utf8"));
      expect(detail.task_id).toBe(taskId);
      expect(stored.task_id).toBe(taskId);
    }
  });
});
