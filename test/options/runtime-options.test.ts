import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { LogRecord } from "@agentcompass/core/port";
import type { ResolvedOrchestration } from "@agentcompass/core/spec";
import { defaultStatePath } from "@agentcompass/local";
import { components, dryRun, type LaunchOptions, runOutcome } from "@agentcompass/sdk";
import { expect, it } from "vitest";
import { main } from "../../packages/cli/src/main.ts";
import { fakeHost, orchestrated } from "../../packages/cli/testing/fake-host.ts";
import { withWork } from "./components.ts";
import { countOverlap, createPlace, HOST, namesIn, pause, refused, setVariable } from "./place.ts";

const PARTS = { benchmark: { id: "work" }, harness: { id: "worker" }, environment: HOST, model: { id: "none" } };
const SPEC = { requests: [{ name: "one", ...PARTS }] };

it("resultsDir: where runs are written; option over file over configuration", async () => {
  const place = await createPlace();
  await place.write("config.yaml", { runtime: { results_dir: "configured" } });
  await place.launch(SPEC);
  await place.launch({ ...SPEC, runtime: { results_dir: "filed" } });
  await place.launch({ ...SPEC, runtime: { results_dir: "filed" } }, { resultsDir: join(place.path, "given") });
  for (const name of ["configured", "filed", "given"]) expect(await namesIn(join(place.path, name))).toEqual(["one"]);
});

it("dataDir: where benchmarks look for data", async () => {
  const place = await createPlace();
  const gsm8k = { benchmark: "gsm8k", harness: "nop" };
  await place.write("mine/gsm8k/test.jsonl", `${JSON.stringify({ question: "1+1?", answer: "#### 2" })}\n`);
  const run = await place.run({ ...gsm8k, dataDir: "mine" });
  expect((await run.json("run_info.json")).provenance.data.source).toBe(join(place.path, "mine/gsm8k/test.jsonl"));
});

it("timeoutSeconds: the deadline of the whole; 0 is none", async () => {
  const place = await createPlace();
  place.execution.run = (ask) => pause(200, ask.signal).then(() => "42");
  const late = await place.run({ timeoutSeconds: 0.05 });
  expect([late.status, (await late.json("run_info.json")).status]).toEqual(["timed_out", "timed_out"]);
  expect((await place.run({ timeoutSeconds: 0 })).status).toBe("completed");
});

it("cleanupGraceSeconds: what active tasks get to end after a stop", async () => {
  const place = await createPlace();
  const took = async (cleanupGraceSeconds: number): Promise<number> => {
    const controller = new AbortController();
    let stoppedAt = 0;
    place.execution.run = async () => {
      stoppedAt = performance.now();
      controller.abort();
      await pause(400);
      return "42";
    };
    const run = await place.run({ signal: controller.signal, cleanupGraceSeconds });
    expect(run.status).toBe("cancelled");
    return performance.now() - stoppedAt;
  };
  expect(await took(0.05)).toBeLessThan(350);
  expect(await took(5)).toBeGreaterThan(390);
});

it("providerLimits: executions at once in an environment; 0 is unlimited; other environments keep theirs", async () => {
  const place = await createPlace();
  const most = async (options: LaunchOptions): Promise<number> => {
    const overlap = countOverlap();
    place.execution.run = () => overlap.during(() => pause(60)).then(() => "42");
    await place.run({ benchmarkParams: { tasks: 4 }, ...options });
    return overlap.most;
  };
  expect(await most({ providerLimits: { host_process: 1 } })).toBe(1);
  expect(await most({ providerLimits: { host_process: 0 } })).toBe(4);
  expect(await most({ providerLimits: { docker: 1 } })).toBe(4);
  await place.write("config.yaml", { runtime: { provider_limits: { host_process: 2 } } });
  expect(await most({ providerLimits: { docker: 1 } })).toBe(2);
});

it.each([
  ["providerLimits", "provider_limits"],
  ["envOpenQps", "env_open_qps"],
] as const)(
  "%s: an environment that nobody knows is named once, with the nearest; those of AgentCompass are none",
  async (option, field) => {
    const place = await createPlace();
    const limits = { host_proces: 1, daytona: 2, host_process: 3, nobodys: 4 };
    const catalog = withWork(await components(), place.execution, place.opened);
    const inFile = await dryRun({ ...SPEC, runtime: { [field]: limits } }, { catalog });
    const given = await dryRun(SPEC, { catalog, [option]: limits });
    const resolved: ResolvedOrchestration[] = [];
    await place.launch(SPEC, { onResolved: (one) => void resolved.push(one) });
    const again = await dryRun(resolved[0] ?? {}, { catalog, [option]: limits });
    await place.write("config.yaml", { runtime: { [field]: limits } });
    const configured = await dryRun(SPEC, { catalog, configPath: "config.yaml" });
    for (const { warnings } of [inFile, given, again, configured]) {
      expect(warnings).toHaveLength(2);
      expect(warnings[0]).toMatch(
        new RegExp(
          `^runtime\\.${field}\\.host_proces: no environment has this id.*; did you mean 'host_process'\\? \\(known: .*host_process`,
        ),
      );
      expect(warnings[1]).toMatch(new RegExp(`^runtime\\.${field}\\.nobodys: .*limits nothing \\(known: `));
    }
  },
);

it("envOpenQps: opens a second, without a burst; 0 is no pacing", async () => {
  const place = await createPlace();
  const spread = async (rate: number): Promise<number> => {
    const times: number[] = [];
    place.execution.open = async () => void times.push(performance.now());
    await place.run({ benchmarkParams: { tasks: 4 }, envOpenQps: { host_process: rate } });
    return Math.max(...times) - Math.min(...times);
  };
  expect(await spread(10)).toBeGreaterThanOrEqual(290);
  expect(await spread(0)).toBeLessThan(250);
});

/** What `run` writes on stderr when the SDK resolves and runs one request. */
async function shown(mode: "auto" | "plain" | "none", isTty: boolean): Promise<string> {
  const place = await createPlace();
  const host = fakeHost({
    isTty,
    sdk: {
      runOutcome: async (options) => {
        const catalog = withWork(await components(), place.execution, place.opened);
        const result = await runOutcome({ ...options, catalog });
        host.tick(1);
        return result;
      },
    },
  });
  const args = ["run", "work", "worker", "none", "--log-level", "CRITICAL"];
  expect(await main([...args, "--progress", mode], host)).toBe(0);
  return host.err();
}

it("progress: a panel on a terminal and lines elsewhere; plain is lines; none is nothing", async () => {
  expect(await shown("auto", true)).toContain("\u001b[");
  const lines = /^run: started, 1 task/;
  expect(await shown("auto", false)).toMatch(lines);
  expect(await shown("plain", true)).toMatch(lines);
  expect(await shown("none", true)).toBe("");
});

const LEVELS = ["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"];

it("logLevel: the least level that onLog gets, in any case", async () => {
  const place = await createPlace();
  const levels = async (logLevel: string): Promise<Set<string>> => {
    const records: LogRecord[] = [];
    await place.run({
      logLevel,
      onLog: (record) => void records.push(record),
      environmentParams: { resources: { storage_mb: 1 } },
    });
    return new Set(records.map((record) => record.level));
  };
  expect([...(await levels("info"))].sort()).toEqual(["INFO", "WARNING"]);
  expect([...(await levels("Warning"))]).toEqual(["WARNING"]);
  expect([...(await levels("CRITICAL"))]).toEqual([]);
  expect(await refused(place.run({ logLevel: "loud" }))).toMatch(new RegExp(`runtime.log_level.*${LEVELS.join(".*")}`));
});

it("fileLogLevel: the least level in run.log", async () => {
  const place = await createPlace();
  const environmentParams = { resources: { storage_mb: 1 } };
  const all = await place.run({ environmentParams, fileLogLevel: "info" });
  expect(await all.text("run.log")).toContain("Evaluation started");
  const few = await place.run({ environmentParams, fileLogLevel: "WARNING" });
  expect(await few.text("run.log")).toContain("storage_mb is ignored");
  expect(await few.text("run.log")).not.toContain("Evaluation started");
});

it("logFile: one that can no longer be written is said once, and the run goes on", async () => {
  const place = await createPlace();
  const logs: LogRecord[] = [];
  // Opening it goes well; every write to it finds the disk full.
  const run = await place.run({ logFile: "/dev/full", onLog: (record) => void logs.push(record) });
  expect(run.status).toBe("completed");
  const told = logs.filter(({ source }) => source === "log");
  expect(told).toEqual([
    {
      level: "WARNING",
      source: "log",
      message: expect.stringMatching(
        /^runtime\.log_file: \/dev\/full can no longer be written, the run goes on without it: ENOSPC/,
      ),
    },
  ]);
});

it("logFile: one more file with the log of all requests", async () => {
  const place = await createPlace();
  const spec = {
    requests: [
      { name: "a", ...PARTS },
      { name: "b", ...PARTS },
    ],
  };
  await place.launch(spec, { logFile: "logs/all.log", fileLogLevel: "INFO" });
  const text = await readFile(join(place.path, "logs/all.log"), "utf8");
  expect(text.match(/Evaluation started/g)).toHaveLength(2);
  expect(text).not.toContain("DEBUG");
});

it("autoInstallDependencies: option over variable over configuration; nothing of this version is installed by it", async () => {
  const place = await createPlace();
  const value = async (options: LaunchOptions = {}): Promise<unknown> => {
    const { payload } = await dryRun(
      {
        requests: [
          { name: "a", benchmark: { id: "starter" }, harness: { id: "nop" }, environment: HOST, model: { id: "none" } },
        ],
      },
      options,
    );
    return (payload as { runtime: { auto_install_dependencies: boolean } }).runtime.auto_install_dependencies;
  };
  expect(await value()).toBe(false);
  await place.write("config.yaml", { runtime: { auto_install_dependencies: true } });
  expect(await value()).toBe(true);
  setVariable("AGENTCOMPASS_AUTO_INSTALL_DEPENDENCIES", "off");
  expect(await value()).toBe(false);
  expect(await value({ autoInstallDependencies: true })).toBe(true);
  expect((await place.run({ autoInstallDependencies: true })).score).toBe(1);
  setVariable("AGENTCOMPASS_AUTO_INSTALL_DEPENDENCIES", "maybe");
  expect(await refused(value())).toMatch(/AGENTCOMPASS_AUTO_INSTALL_DEPENDENCIES: found 'maybe'; allowed are 1, true/);
});

it("json: stdout holds the whole result and nothing else", async () => {
  const result = { metrics: { k: 1 } };
  const host = fakeHost({ sdk: { runOutcome: async () => orchestrated({ run: "completed" }, { result }) } });
  expect(await main(["run", "b", "h", "m", "--json"], host)).toBe(0);
  expect(JSON.parse(host.out())).toEqual(result);
});

it("dryRun: what would run, redacted, with its components checked; writes and runs nothing", async () => {
  const place = await createPlace();
  const request = { ...PARTS, benchmark: { id: "starter" }, harness: { id: "nop" }, name: "one" };
  const spec = { requests: [{ ...request, model: { id: "none", api_key: "sk-secret-of-the-test" } }] };
  const { payload } = await dryRun(spec);
  expect(JSON.stringify(payload)).not.toContain("sk-secret-of-the-test");
  expect(payload).toMatchObject({ requests: [{ name: "one", model: { api_key: "********" } }] });
  expect(await refused(dryRun({ requests: [{ ...request, harness: { id: "nop", speed: 1 } }] }))).toContain("'speed'");
  expect(
    await refused(dryRun({ requests: [{ ...request, harness: { id: "openai_chat" }, model: { id: "m" } }] })),
  ).toContain("delivers text");
  const missing = { ...request, benchmark: { id: "jsonl", path: "not-there.jsonl" } };
  expect((await dryRun({ requests: [missing] })).warnings).toEqual([]);
  expect(await namesIn(place.path)).toEqual([]);
});

it("signal: ends a run within the grace, with its status on disk", async () => {
  const place = await createPlace();
  const controller = new AbortController();
  place.execution.run = async (ask) => {
    controller.abort();
    await pause(5000, ask.signal);
    return "42";
  };
  const run = await place.run({ signal: controller.signal });
  expect([run.status, (await run.json("run_info.json")).status]).toEqual(["cancelled", "cancelled"]);
});

it("AGENTCOMPASS_STATE_DIR, XDG_STATE_HOME: the folder of the state file that limits are kept in", async () => {
  const place = await createPlace();
  await place.run();
  expect(await namesIn(join(place.path, "home/.local/state/agentcompass"))).toContain("permits.sqlite");
  setVariable("XDG_STATE_HOME", join(place.path, "xdg"));
  await place.run();
  expect(await namesIn(join(place.path, "xdg/agentcompass"))).toContain("permits.sqlite");
  setVariable("AGENTCOMPASS_STATE_DIR", join(place.path, "state"));
  await place.run();
  expect(await namesIn(join(place.path, "state"))).toContain("permits.sqlite");
  expect(defaultStatePath(process.env)).toBe(join(place.path, "state/permits.sqlite"));
});
