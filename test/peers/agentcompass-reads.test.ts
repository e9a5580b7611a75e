import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { components } from "@agentcompass/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CASES, type Case } from "./agentcompass-cases.ts";
import { type Json, type Reader, startReader } from "./agentcompass-reader.ts";
import { agentcompass, type Run, readRun, runScripted } from "./agentcompass-run.ts";

let place: string;
let reader: Reader;

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "agentcompass-peers-"));
  reader = await startReader(await ourBenchmarks());
});

afterAll(async () => {
  await reader?.close();
  await rm(place, { recursive: true, force: true });
});

/** Id and metrics of every benchmark that this version runs. */
async function ourBenchmarks() {
  const { benchmark } = await components();
  const runnable = [...benchmark.values()].filter(({ load }) => load !== undefined);
  return Promise.all(runnable.map(async ({ id, load }) => ({ id, metrics: (await load?.())?.metrics ?? [] })));
}

/** The report as AgentCompass knows it. */
function shared(metrics: Json): Json {
  const { statistics: _, ...rest } = metrics;
  return rest;
}

it("is AgentCompass 1.0.1", () => {
  expect(reader.version).toBe("1.0.1");
});

describe.each(CASES)("AgentCompass reads $name", (one: Case) => {
  let run: Run;
  const runId = `run-${CASES.indexOf(one)}`;

  beforeAll(async () => {
    run = await runScripted({ place, runId, ...one });
  });

  it("as a run of the expected end", () => {
    expect(run.status).toBe(one.status);
    expect(run.exitCode).toBe(one.status === "completed" ? 0 : 1);
    expect(run.info).toMatchObject(one.runInfo ?? {});
  });

  it("and computes the very same numbers", async () => {
    const { metrics, markdown } = await reader.summary(run.directory);
    expect(metrics).toEqual(shared(run.metrics));
    const theirs = markdown.trimEnd();
    expect(run.summary.slice(0, theirs.length)).toBe(theirs);
  });

  it("and writes a report that we read again", async () => {
    const copy = join(place, "copies", runId);
    await cp(run.directory, copy, { recursive: true });
    await reader.summary(copy, { write: true });
    const theirs = JSON.parse(await readFile(join(copy, "metrics.json"), "utf8"));
    expect(await agentcompass(["summary", copy], place)).toBe(0);
    const ours = await readRun(copy, 0);
    expect(shared(ours.metrics)).toEqual(theirs);
  });

  it("and shows the run, with the report we wrote", async () => {
    const view = await reader.view("run", { path: run.directory });
    expect(view).toMatchObject({ isRun: true, runDir: run.directory, resultsRoot: join(place, "results") });
    expect(view.detailsTotal).toBe(one.tasks.length);
    expect(view.retryDetailsTotal).toBe(one.retries ?? 0);
    expect(view.metricsJson).toEqual({ ...run.metrics, historical: false });
    expect(view.runInfoJson.status).toBe(one.status);
    expect(view.progressJson.finished_tasks).toBe(one.tasks.length);
    expect(view.summaryMd).toBe(run.summary);
  });

  it("and finds the run where its results are", async () => {
    const { entries } = await reader.view("tree", { path: dirname(run.directory) });
    expect(entries).toContainEqual({ name: runId, path: run.directory, isRun: true });
  });

  it("and counts its tasks", async () => {
    const view = await reader.view("run-counts", { path: run.directory });
    expect(view).toMatchObject({ ...one.counts, running: 0 });
    const categories = new Set(one.tasks.map(({ category }) => category).filter((category) => category?.trim()));
    expect(new Set(view.categories.filter((category: string) => category.trim()))).toEqual(categories);
  });

  it("and lists every task once", async () => {
    const { total, details } = await reader.view("details-page", { path: run.directory, pageSize: 200 });
    expect(total).toBe(one.tasks.length);
    expect(details.filter(({ status }: Json) => status === "parse_error")).toEqual([]);
    expect(details.map(({ taskId }: Json) => taskId).sort()).toEqual(one.tasks.map(({ id }) => id).sort());
    const metric = new Set(
      details.map(({ primaryMetric, metricValue }: Json) => metricValue !== null && primaryMetric),
    );
    metric.delete(false);
    expect([...metric]).toEqual(["correct"]);
  });

  it("and opens each task, with its steps and retries", async () => {
    const { details } = await reader.view("details-page", { path: run.directory, pageSize: 20 });
    let retries = 0;
    for (const { fileName, taskId, attemptsRecorded } of details) {
      const { detail, retryDetails } = await reader.view("detail", { path: run.directory, file: fileName });
      expect(detail.task_id).toBe(taskId);
      expect(Object.keys(detail.attempts)).toHaveLength(attemptsRecorded);
      retries += retryDetails.length;
      for (const [attempt, { trajectory }] of Object.entries<Json>(detail.attempts)) {
        if (!trajectory?.steps?.length) continue;
        const query = { path: run.directory, file: fileName, attempt, step: 0 };
        const { step } = await reader.view("detail-step", query);
        expect(step.user_content).toContain("what is six times seven?");
      }
    }
    expect(retries).toBe(one.retries ?? 0);
  });

  it("and refuses to be read under another name of the run", async () => {
    await expect(
      reader.view("run", { path: join(dirname(run.directory), `${basename(run.directory)}x`) }),
    ).rejects.toThrow();
  });
});
