import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agentcompass, ROOT, temporaryDirectory } from "./command.ts";

describe("run starter oracle none", () => {
  it("prints a table on stdout that ends with where the results are", async () => {
    const cwd = await temporaryDirectory();
    const { code, stdout, stderr } = await agentcompass(["run", "starter", "oracle", "none"], { cwd });
    expect([code, stderr.includes("Error")]).toEqual([0, false]);
    const lines = stdout.split("\n");
    expect(lines[0]).toMatch(/^Request +Status +Metric +Score +95 % interval +N +Errors +Tokens +Cost +Time$/);
    expect(lines[2]).toMatch(/^run +completed +\S+ +1\.0000 +0\.\d{4} to 1\.0000 +12\/12 +0 +- +- /);
    const place = /^Results: (.+)$/.exec(lines.at(-2) ?? "")?.[1] ?? "";
    const metrics = JSON.parse(await readFile(join(place, "metrics.json"), "utf8"));
    expect(metrics.series[0].value).toBe(1);
  });

  it("prints the whole result and nothing else with --json", async () => {
    const { code, stdout, stderr } = await agentcompass(["run", "starter", "nop", "none", "--json"]);
    expect(code).toBe(0);
    const result = JSON.parse(stdout);
    expect(Object.keys(result)).toEqual(
      expect.arrayContaining(["evaluation_failed", "metadata", "metrics", "summary", "paths"]),
    );
    expect(result.metrics.series[0].value).toBe(0);
    expect(stderr).toContain(`Results: ${result.paths.metrics_json.replace(/\/metrics\.json$/, "")}`);
  });

  it("writes a start and an end line of progress, and no control sequences, where there is no terminal", async () => {
    const args = ["run", "starter", "oracle", "none", "--log-level", "CRITICAL", "--benchmark-params", '{"limit": 2}'];
    const { stderr } = await agentcompass(args);
    expect(stderr).toMatch(/^run: started, 2 tasks \(starter, oracle, none, host_process\)\n/);
    expect(stderr).toMatch(/\nrun: completed, 2\/2, [\d.]+ s\n$/);
    expect(stderr).not.toContain("\u001b");
  });

  it("says nothing on stderr without progress and logs", async () => {
    const args = ["run", "starter", "nop", "none", "--log-level", "CRITICAL", "--progress", "none"];
    expect((await agentcompass(args)).stderr).toBe("");
  });

  it("writes logs as time, level, source and message", async () => {
    const { stderr } = await agentcompass([
      "run",
      "starter",
      "nop",
      "none",
      "--log-level",
      "debug",
      "--progress",
      "none",
    ]);
    for (const line of stderr.trimEnd().split("\n"))
      expect(line).toMatch(/^\d\d:\d\d:\d\d (DEBUG|INFO|WARNING) +\S+ \S/);
  });
});

describe("launch examples/quickstart.yaml", () => {
  it("runs both requests, prints their scores and where each one's results are", async () => {
    const cwd = await temporaryDirectory();
    const { code, stdout } = await agentcompass(["launch", join(ROOT, "examples/quickstart.yaml")], { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\S*oracle\S* +completed .* 1\.0000 /m);
    expect(stdout).toMatch(/^\S*nop\S* +completed .* 0\.0000 /m);
    expect(stdout.match(/^Results of \S+: .+$/gm)).toHaveLength(2);
  });

  it("prints the orchestration result with --json", async () => {
    const cwd = await temporaryDirectory();
    const { code, stdout } = await agentcompass(["launch", join(ROOT, "examples/quickstart.yaml"), "--json"], { cwd });
    expect(code).toBe(0);
    const result = JSON.parse(stdout);
    expect(result.status).toBe("completed");
    expect(Object.keys(result.requests)).toHaveLength(2);
  });

  it("fails with 1 when one request cannot run, and completes the other", async () => {
    const cwd = await temporaryDirectory();
    const { writeFile } = await import("node:fs/promises");
    await writeFile(
      join(cwd, "suite.yaml"),
      "defaults: {harness: {id: nop}, environment: {id: host_process}, model: {id: none}}\nrequests:\n" +
        "  - {name: absent, benchmark: {id: jsonl, path: no.jsonl}}\n  - {name: good, benchmark: {id: starter}}\n",
    );
    const { code, stdout, stderr } = await agentcompass(["launch", "suite.yaml", "--json"], { cwd });
    expect(code).toBe(1);
    const { requests } = JSON.parse(stdout);
    expect([requests.absent.status, requests.good.status]).toEqual(["failed", "completed"]);
    expect(stderr).toMatch(/^Error: absent: .*no\.jsonl/m);
  });
});
