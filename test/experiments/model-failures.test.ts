/** What becomes of a request whose model fails (reference 11.4); "as AgentCompass" unless a test says otherwise. */
import type { ModelReply } from "@agentcompass/runner/testing";
import { describe, expect, it } from "vitest";
import { failing, openLab } from "./lab.ts";

const RETRY = (retries: number): string[] => ["--max-retries", String(retries)];

describe("HTTP 500 on every call", () => {
  it("without retries: FATAL, no official score, 3 HTTP requests, exit 1; one line instead of a traceback", async () => {
    const lab = await openLab([failing]);
    const { code, stderr } = await lab.run("r");
    const run = await lab.look("r");
    expect([code, lab.model.requests.length, run.tasks, run.info.status]).toEqual([1, 3, { fatal: 1 }, "failed"]);
    expect(run.metrics).toMatchObject({ evaluation_failed: true, series: [{ value: null }] });
    expect(run.summary).toMatch(/no official score/i);
    expect(run.info.error).toMatch(/^Final FATAL issues; results: /);
    expect(stderr).toMatch(
      /^Error: Final FATAL issues; results: \S+; [^\n]+\n(Results: [^\n]+\n)?$|Error: Final FATAL/,
    );
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it("with --max-retries 2: two retry files, each for the pattern fatal, 9 HTTP requests, exit 1", async () => {
    const lab = await openLab([failing]);
    expect((await lab.run("r", RETRY(2))).code).toBe(1);
    const run = await lab.look("r");
    expect([lab.model.requests.length, run.tasks]).toEqual([9, { fatal: 1 }]);
    const retries = run.files
      .filter((path) => path.includes("/retries/"))
      .map((path) => /\.retry\d\.\w+\.json$/.exec(path)?.[0]);
    expect(retries.sort()).toEqual([".retry1.attempt.json", ".retry2.attempt.json"]);
    const events = run.events.filter(({ event }) => event === "attempt_retry");
    expect(events.map(({ payload }) => payload.matched_pattern)).toEqual(["fatal", "fatal"]);
    expect(await run.json(/attempt-1\/result\.json$/)).toMatchObject({ retry_count: 2, metrics: {} });
  });

  it("and then an answer, with --max-retries 1: completed with one retry", async () => {
    const lab = await openLab([failing, failing, failing, {}]);
    expect((await lab.run("r", RETRY(1))).code).toBe(0);
    const run = await lab.look("r");
    expect([run.info.status, run.tasks, run.ends]).toEqual(["completed", { normal: 1 }, ["completed"]]);
    expect(await run.json(/attempt-1\/result\.json$/)).toMatchObject({ retry_count: 1, metrics: { correct: true } });
  });
});

describe("HTTP 401 on every call", () => {
  it("is FATAL and retried, by attempts alone", async () => {
    const lab = await openLab([{ status: 401 }]);
    expect((await lab.run("r", RETRY(2))).code).toBe(1);
    expect([lab.model.requests.length, (await lab.look("r")).tasks]).toEqual([3, { fatal: 1 }]);
  });

  it("is not retried under retry_policy strict, a difference by option", async () => {
    const lab = await openLab([{ status: 401 }]);
    const strict = ["--execution-params", '{"retry_policy": "strict"}'];
    expect((await lab.run("r", [...RETRY(2), ...strict])).code).toBe(1);
    expect([lab.model.requests.length, (await lab.look("r")).tasks]).toEqual([1, { fatal: 1 }]);
  });

  it("stops after the first ten tasks, unlike AgentCompass, and says how to switch that off", async () => {
    const lab = await openLab([{ status: 401 }], 30);
    const { code, stderr } = await lab.run("r", ["--task-concurrency", "1"]);
    const run = await lab.look("r");
    expect([code, lab.model.requests.length, run.info.status]).toEqual([1, 10, "failed"]);
    expect([run.tasks, run.metrics.evaluation_failed]).toEqual([{ fatal: 10 }, true]);
    expect(stderr).toMatch(
      /^Error: the first 10 tasks all ended in model_failed \([^\n]*401[^\n]*\); 20 of 30 tasks were not run \(execution\.fatal_task_limit 10; 0 runs them all\); results: /m,
    );
    expect(run.summary).toContain("Partial: 10 of 30 tasks; 20 were not run.");
    const whole = await openLab([{ status: 401 }], 12);
    await whole.run("r", ["--task-concurrency", "1", "--execution-params", '{"fatal_task_limit": 0}']);
    expect((await whole.look("r")).tasks).toEqual({ fatal: 12 });
  });
});

describe("HTTP 400 on every call", () => {
  it("is an ERROR that is scored: completed, exit 0, score 0, one error; a note says that no call was answered", async () => {
    const lab = await openLab([{ status: 400, error: "bad request" }]);
    expect((await lab.run("r")).code).toBe(0);
    const run = await lab.look("r");
    expect([run.info.status, run.tasks, lab.model.requests.length]).toEqual(["completed", { error: 1 }, 1]);
    expect(run.metrics).toMatchObject({ evaluation_failed: false, series: [{ value: 0 }] });
    expect(run.summary).toContain("No model call gave an answer");
  });

  it("for a context that is too long is scored after one try, its code kept, whatever the patterns when strict", async () => {
    const error = { error: { message: "maximum context length is 10 tokens", code: "context_length_exceeded" } };
    const lab = await openLab([{ status: 400, body: error }]);
    const strict = ["--retry-pattern-list", '["context"]', "--execution-params", '{"retry_policy": "strict"}'];
    expect((await lab.run("r", [...RETRY(2), ...strict])).code).toBe(0);
    const run = await lab.look("r");
    expect([run.tasks, lab.model.requests.length]).toEqual([{ error: 1 }, 1]);
    expect((await run.json(/attempt-1\/result\.json$/)).issues).toMatchObject([{ code: "model_context_overflow" }]);
  });
});

describe("an endpoint that refuses connections", () => {
  it("gives no score and exit 1, where AgentCompass completes with 0; each attempt is the same ERROR", async () => {
    const lab = await openLab([]);
    await lab.model.close();
    const { code, stderr } = await lab.run("r");
    const run = await lab.look("r");
    expect([code, run.info.status, run.tasks]).toEqual([1, "failed", { error: 1 }]);
    expect(run.metrics).toMatchObject({ evaluation_failed: true, series: [{ value: null }] });
    expect(stderr).toMatch(/^Error: the model at \S+ was never reached: /m);
  });

  it("is given up after three tasks, where AgentCompass tries all", async () => {
    const lab = await openLab([], 8);
    await lab.model.close();
    await lab.run("r", ["--task-concurrency", "1"]);
    expect((await lab.look("r")).tasks).toEqual({ error: 3 });
  });
});

describe("Retry-After", () => {
  const QUICK = '{"retry_policy": "strict", "retry_min_delay_seconds": 0.05, "retry_max_delay_seconds": 0.1}';

  it.each([
    ["seconds", (): string => "1", 1000],
    ["a date", (): string => new Date(Date.now() + 2000).toUTCString(), 1000],
  ] as const)(
    "as %s is the least wait of a strict retry, where AgentCompass waits its own",
    async (_name, header, least) => {
      const times: number[] = [];
      const lab = await openLab((_request, index): ModelReply => {
        times.push(performance.now());
        return index === 0 ? { status: 429, headers: { "retry-after": header(), "x-should-retry": "false" } } : {};
      });
      expect((await lab.run("r", [...RETRY(1), "--execution-params", QUICK])).code).toBe(0);
      expect(times).toHaveLength(2);
      expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(least - 20);
    },
  );
});
