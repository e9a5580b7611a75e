import { AgentCompassError } from "@agentcompass/core";
import { describe, expect, it } from "vitest";
import { fakeHost, orchestrated } from "../testing/fake-host.ts";
import { main } from "./main.ts";
import type { Sdk } from "./sdk-surface.ts";

type Options = Readonly<Record<string, unknown>>;

/** The options that `run` hands to the SDK for a command line. */
async function optionsOf(line: readonly string[]): Promise<Options> {
  let seen: Options = {};
  const host = fakeHost({
    sdk: {
      runOutcome: async (options) => {
        seen = options;
        return orchestrated({ run: "completed" });
      },
    },
  });
  expect([await main(["run", ...line], host), host.err()]).toEqual([0, ""]);
  const { onResolved, onProgress, onLog, signal, endNow, ...given } = seen;
  return given;
}

describe("run", () => {
  it("hands over nothing but what was given", async () => {
    expect(await optionsOf(["b", "h", "m"])).toEqual({ benchmark: "b", harness: "h", model: "m" });
  });

  it("takes benchmark, harness and model as arguments, as options, or mixed", async () => {
    const expected = { benchmark: "b", harness: "h", model: "m" };
    expect(await optionsOf(["--benchmark", "b", "--harness", "h", "--model", "m"])).toEqual(expected);
    expect(await optionsOf(["--harness", "h", "b", "m"])).toEqual(expected);
  });

  const rows: readonly (readonly [string[], Options])[] = [
    [["--config", "a", "--config", "b"], { configPath: ["a", "b"] }],
    [["--env", "docker"], { environment: "docker" }],
    [["--benchmark-params", '{"a":1}'], { benchmarkParams: { a: 1 } }],
    [["--harness-params", ""], { harnessParams: {} }],
    [["--env-params", '{"a":1}'], { environmentParams: { a: 1 } }],
    [["--model-params", '{"a":1}'], { modelParams: { a: 1 } }],
    [["--analysis-params", "{}"], { analysisParams: {} }],
    [["--execution-params", '{"max_retries":1}'], { executionParams: { max_retries: 1 } }],
    [["--model-base-url", "u"], { modelBaseUrl: "u" }],
    [["--model-api-key", "k"], { modelApiKey: "k" }],
    [["--wrap-api-key"], { wrapApiKey: true }],
    [["--no-wrap-api-key"], { wrapApiKey: false }],
    [["--model-api-protocol", '["a"]'], { modelApiProtocol: ["a"] }],
    [["--task-concurrency", "4"], { taskConcurrency: 4 }],
    [["--k", "3"], { k: 3 }],
    [["--attempt-strategy", "pass"], { attemptStrategy: "pass" }],
    [["--max-retries", "-1"], { maxRetries: -1 }],
    [["--retry-pattern-list", '["x"]'], { retryPatternList: ["x"] }],
    [["--results-dir", "r", "--data-dir", "d"], { resultsDir: "r", dataDir: "d" }],
    [["--run-name", "n", "--run-id", "i"], { runName: "n", runId: "i" }],
    [["--reuse"], { reuse: true }],
    [["--reuse", "id"], { reuse: true, reuseRunId: "id" }],
    [["--no-checkpoint-resume"], { checkpointResume: false }],
    [["--timeout-seconds", "5"], { timeoutSeconds: 5 }],
    [["--provider-limit", "a=1", "--provider-limit", "b=0"], { providerLimits: { a: 1, b: 0 } }],
    [["--env-open-qps", "a=0.5"], { envOpenQps: { a: 0.5 } }],
    [["--progress", "plain"], { progress: "plain" }],
    [["--log-level", "debug", "--file-log-level", "ERROR"], { logLevel: "DEBUG", fileLogLevel: "ERROR" }],
    [["--auto-install-dependencies"], { autoInstallDependencies: true }],
    [["--no-auto-install-dependencies"], { autoInstallDependencies: false }],
    [["--keep-environment"], { keepEnvironment: true }],
    [["--no-keep-environment"], { keepEnvironment: false }],
    [["--enable-analysis"], { enableAnalysis: true }],
    [["--no-enable-analysis"], { enableAnalysis: false }],
  ];
  it.each(rows)("hands %j to the SDK", async (line, expected) => {
    expect(await optionsOf(["b", "h", "m", ...line])).toEqual({
      benchmark: "b",
      harness: "h",
      model: "m",
      ...expected,
    });
  });

  it("exits 1 with the reason when the run did not complete, and still says where its results are", async () => {
    const host = fakeHost({ sdk: { runOutcome: async () => orchestrated({ run: "failed" }) } });
    expect(await main(["run", "b", "h", "m"], host)).toBe(1);
    expect(host.out()).toContain("Results: results/run");
    expect(host.err()).toBe("Error: run went wrong\n");
  });

  it("exits with the code of a refusal and prints its message on one line", async () => {
    const refuse: Sdk["runOutcome"] = async () => {
      throw new AgentCompassError("component.unknown", "unknown benchmark x;\nknown: y");
    };
    const host = fakeHost({ sdk: { runOutcome: refuse } });
    expect(await main(["run", "b", "h", "m"], host)).toBe(2);
    expect([host.out(), host.err()]).toEqual(["", "Error: unknown benchmark x; known: y\n"]);
  });

  it("shows the stack of an unexpected exception only when asked", async () => {
    const fail: Sdk["runOutcome"] = async () => {
      throw new TypeError("x is not a function");
    };
    const quiet = fakeHost({ sdk: { runOutcome: fail } });
    expect(await main(["run", "b", "h", "m"], quiet)).toBe(1);
    expect(quiet.err()).toBe("Error: internal: x is not a function; set AGENTCOMPASS_DEBUG=1 to see where\n");
    const loud = fakeHost({ sdk: { runOutcome: fail }, env: { AGENTCOMPASS_DEBUG: "1" } });
    await main(["run", "b", "h", "m"], loud);
    expect(loud.err()).toContain("at ");
  });
});

describe("signals", () => {
  const untilAborted: Sdk["runOutcome"] = ({ signal }) =>
    new Promise((resolve) => {
      signal?.addEventListener("abort", () => resolve(orchestrated({ run: "cancelled" }, { status: "cancelled" })));
    });

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("%s ends the run and exits %i", async (name, code) => {
    const host = fakeHost({ sdk: { runOutcome: untilAborted } });
    const ended = main(["run", "b", "h", "m"], host);
    await untilListening(host);
    host.send(name);
    expect(await ended).toBe(code);
    expect(host.err()).toContain(`${name}: ending the run`);
  });

  it("exits by the signal's code when the SDK rejects", async () => {
    const rejects: Sdk["runOutcome"] = ({ signal }) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener("abort", () => reject(signal?.reason));
      });
    const host = fakeHost({ sdk: { runOutcome: rejects } });
    const ended = main(["run", "b", "h", "m"], host);
    await untilListening(host);
    host.send("SIGTERM");
    expect(await ended).toBe(143);
  });

  it("a SIGINT after the first signal gives up the grace, one more exits; a second SIGTERM does neither", async () => {
    let endNow: AbortSignal | undefined;
    const never: Sdk["runOutcome"] = (options) => {
      endNow = options.endNow;
      return new Promise(() => {});
    };
    const host = fakeHost({ sdk: { runOutcome: never } });
    void main(["run", "b", "h", "m"], host);
    await untilListening(host);
    host.send("SIGTERM");
    host.send("SIGTERM");
    expect([endNow?.aborted, host.exits]).toEqual([false, []]);
    host.send("SIGINT");
    expect([endNow?.aborted, host.exits]).toEqual([true, []]);
    host.send("SIGINT");
    expect(host.exits).toEqual([130]);
  });

  it("does not call a run cancelled that completed all the same", async () => {
    const late: Sdk["runOutcome"] = ({ signal }) =>
      new Promise((resolve) => {
        signal?.addEventListener("abort", () => resolve(orchestrated({ run: "completed" })));
      });
    const host = fakeHost({ sdk: { runOutcome: late } });
    const ended = main(["run", "b", "h", "m"], host);
    await untilListening(host);
    host.send("SIGINT");
    expect(await ended).toBe(0);
  });
});

describe("launch", () => {
  it("prints the orchestration result as JSON and nothing else on stdout", async () => {
    const result = orchestrated({ a: "completed", b: "failed" });
    const host = fakeHost({ sdk: { launch: async () => result } });
    expect(await main(["launch", "f.yaml", "--json"], host)).toBe(1);
    expect(JSON.parse(host.out())).toEqual(result);
    expect(host.err()).toBe("Results of a: results/a\nResults of b: results/b\nError: b: b went wrong\n");
  });

  it("hands reuse, run id and deadlines over", async () => {
    const seen: unknown[] = [];
    const launch: Sdk["launch"] = async (spec, { onResolved, onProgress, onLog, signal, endNow, ...options } = {}) => {
      seen.push(spec, options);
      return orchestrated({ a: "completed" });
    };
    const line = ["launch", "f.yaml", "--no-reuse", "--run-id", "i", "--cleanup-grace-seconds", "0.5"];
    expect(await main(line, fakeHost({ sdk: { launch } }))).toBe(0);
    expect(seen).toEqual([{ file: "f.yaml" }, { reuse: false, runId: "i", cleanupGraceSeconds: 0.5 }]);
  });

  it("prints the resolved YAML of a dry run in its order, warnings apart", async () => {
    const dryRun: Sdk["dryRun"] = async () => ({ payload: { b: 1, a: [{ c: null }] }, warnings: ["a key twice"] });
    const host = fakeHost({ sdk: { dryRun } });
    expect(await main(["launch", "f.yaml", "--dry-run"], host)).toBe(0);
    expect([host.out(), host.err()]).toEqual(["b: 1\na:\n  - c: null\n", "Warning: a key twice\n"]);
  });
});

/** Lets the command get as far as its signal listener. */
async function untilListening(host: ReturnType<typeof fakeHost>): Promise<void> {
  for (let turn = 0; turn < 1000 && host.listening() === 0; turn++)
    await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
}
