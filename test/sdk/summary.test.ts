import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { summary } from "@agentcompass/sdk";
import { describe, expect, it, onTestFinished } from "vitest";

const RUNS = resolve(import.meta.dirname, "../conformance/runs");

/** A copy of an example run of AgentCompass that a test may change. */
async function copyOf(run: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "agentcompass-summary-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await cp(join(RUNS, run), folder, { recursive: true });
  return folder;
}

describe("summary of a run that AgentCompass wrote", () => {
  it.each(["a", "b", "c", "d/group/good/d", "d/group/bad/d", "f"])("computes what the run %s holds", async (run) => {
    const folder = await copyOf(run);
    const wanted = JSON.parse(await readFile(join(folder, "metrics.json"), "utf8")) as object;
    const text = await readFile(join(folder, "summary.md"), "utf8");
    const { markdown, metrics, dry_run } = await summary(folder);
    expect(dry_run).toBe(false);
    expect(metrics).toMatchObject(wanted);
    expect(markdown.startsWith(text.trimEnd())).toBe(true);
    expect(JSON.parse(await readFile(join(folder, "metrics.json"), "utf8"))).toMatchObject(wanted);
    const info = JSON.parse(await readFile(join(folder, "run_info.json"), "utf8"));
    expect(info.metric_artifacts.source).toBe("summary");
  });

  it.each([
    [2, 0, true],
    [2, 1, false],
    [0, 0, false],
  ])("of %i calls of which %i reached a model: withholds the score is %s", async (calls, reached, withheld) => {
    const folder = await copyOf("a");
    const path = join(folder, "run_info.json");
    const info = JSON.parse(await readFile(path, "utf8"));
    await writeFile(path, JSON.stringify({ ...info, provenance: { model: { calls, reached } } }));
    const { markdown, metrics } = await summary(folder, { dryRun: true });
    expect(markdown.includes("No official score: no call of the model was answered.")).toBe(withheld);
    expect(metrics["evaluation_failed"]).toBe(withheld);
  });

  it("says of a cancelled run that it is partial", async () => {
    const { markdown } = await summary(await copyOf("e"), { dryRun: true });
    expect(markdown).toContain("1 of 3 tasks");
  });

  it("takes another aggregation and writes nothing in a dry run", async () => {
    const folder = await copyOf("c");
    const before = await readFile(join(folder, "metrics.json"), "utf8");
    const { metrics } = await summary(folder, { benchmarkParams: { aggregation_mode: "category_mean" }, dryRun: true });
    expect(metrics).toMatchObject({ aggregation: "category_mean" });
    expect(await readFile(join(folder, "metrics.json"), "utf8")).toBe(before);
  });

  it("takes tokens and latencies from the trajectories", async () => {
    const { metrics } = await summary(await copyOf("b"), { dryRun: true });
    expect(metrics["statistics"]).toMatchObject({ calls: 6, tokens: { prompt: 60, completion: 30 } });
  });

  it("leaves a torn result out and does not take it for whole", async () => {
    const folder = await copyOf("a");
    const task = "details/normal/arith_four_0--f926988a4004f5120920ce72f104cfe19bb3761f95e53590de56571eef43a8b7";
    await writeFile(join(folder, task, "attempt-1/result.json"), '{"status": "completed", "metr');
    const { metrics } = await summary(folder, { dryRun: true });
    expect(metrics).toMatchObject({ series: [{ counts: { total: 4, evaluated: 3, error: 1 } }] });
  });

  it.each([
    ["of one run", ["20260101_000000"], "20260101_000000"],
    ["of several runs", ["model/20260101_000000", "model/20260102_000000"], "model/20260102_000000"],
    ["with levels of run names", ["team/week/model/first"], "team/week/model/first"],
  ])("refuses a directory %s and names one of them", async (_case, runs, named) => {
    const folder = await mkdtemp(join(tmpdir(), "agentcompass-summary-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    for (const run of runs) await cp(join(RUNS, "a"), join(folder, run), { recursive: true });
    await expect(summary(folder)).rejects.toMatchObject({
      code: "run.unreadable",
      message: `${folder}: holds runs but is no run directory itself (no run_info.json); give one of them, for example ${join(folder, named)}`,
    });
  });

  it.each([
    ["a directory that is none", "details", "run_info.json"],
    ["a path that does not exist", "nowhere", "does not exist"],
  ])("refuses %s in one line", async (_case, name, text) => {
    const folder = await copyOf("a");
    const refusal = summary(join(folder, name));
    await expect(refusal).rejects.toMatchObject({ code: "run.unreadable", message: expect.stringContaining(text) });
  });
});
