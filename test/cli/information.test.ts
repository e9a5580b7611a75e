import { spawn } from "node:child_process";
import { cp, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { agentcompass, BIN, ROOT, temporaryDirectory } from "./command.ts";

describe("list", () => {
  it("shows ids and descriptions by id, marking what cannot be run yet", async () => {
    const { code, stdout, stderr } = await agentcompass(["list", "benchmark"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^Benchmarks \(\d+\)\n/);
    expect(stdout).toMatch(/^starter +Twelve small tasks/m);
    expect(stdout).toMatch(/^swebench_verified .*\(comes with a later release\)$/m);
    const ids = stdout
      .split("\n")
      .slice(3, -1)
      .map((line) => line.split(" ")[0]);
    expect(ids).toEqual([...ids].sort());
  });

  it.each([
    ["harness", "openai_chat"],
    ["env", "host_process"],
    ["analyzer", "Analyzers (0)"],
  ])("knows %s", async (kind, text) => {
    expect((await agentcompass(["list", kind])).stdout).toContain(text);
  });

  it("dumps all components into a Markdown file and prints its path", async () => {
    const cwd = await temporaryDirectory();
    const { code, stdout } = await agentcompass(["list", "dump"], { cwd });
    expect(code).toBe(0);
    const text = await readFile(stdout.trim(), "utf8");
    for (const part of ["## Benchmarks", "| starter |", "## Harnesses", "## Model API Protocols", "## Analyzers"])
      expect(text).toContain(part);
  });
});

describe("config", () => {
  it("shows the merged configuration as YAML or JSON with secrets hidden", async () => {
    const cwd = await temporaryDirectory();
    await writeFile(
      join(cwd, "more.yaml"),
      "execution: {max_retries: 3}\nharnesses: {openai_chat: {max_retries: 7}}\n",
    );
    const args = [
      "config",
      "show",
      "--config",
      "more.yaml",
      "--harness",
      "openai_chat",
      "--benchmark",
      "starter",
      "gsm8k",
    ];
    const yaml = await agentcompass(args, { cwd });
    expect([yaml.code, yaml.stderr]).toEqual([0, ""]);
    const shown = parse(yaml.stdout);
    expect(shown.execution.max_retries).toBe(3);
    expect(shown.runtime.results_dir).toBe("results");
    expect(JSON.stringify(shown)).toContain('"openai_chat"');
    const json = await agentcompass([...args, "--format", "json"], { cwd });
    expect(JSON.parse(json.stdout)).toEqual(shown);
  });

  it("documents the fields of a component", async () => {
    const { code, stdout } = await agentcompass(["config", "docs", "benchmark", "jsonl"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Field +Type +Default +Description$/m);
    expect(stdout).toMatch(/^scorer /m);
    expect(stdout).toMatch(/^sample_ids /m);
  });

  it("documents the fields that every environment has", async () => {
    const { stdout } = await agentcompass(["config", "docs", "env", "host_process"]);
    for (const field of ["env_variables", "resources", "setup.image", "evaluation_setup.workdir"])
      expect(stdout).toMatch(new RegExp(`^${field.replace(".", "\\.")} `, "m"));
    expect((await agentcompass(["config", "docs", "environment", "host_process"])).stdout).toBe(stdout);
  });

  it("refuses what it does not know", async () => {
    for (const args of [
      ["config", "docs", "thing", "x"],
      ["config", "docs", "benchmark", "startr"],
      ["config", "show", "--benchmark", "startr"],
    ]) {
      const { code, stdout, stderr } = await agentcompass(args);
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toMatch(/^Error: [^\n]+\n$/);
    }
  });
});

describe("launch --dry-run", () => {
  it("prints the resolved orchestration as YAML and writes nothing", async () => {
    const cwd = await temporaryDirectory();
    const args = ["launch", join(ROOT, "examples/quickstart.yaml"), "--dry-run", "--task-concurrency", "3"];
    const { code, stdout } = await agentcompass(args, { cwd });
    expect(code).toBe(0);
    const payload = parse(stdout);
    expect(Object.keys(payload)).toEqual(["orchestration_id", "name", "task_concurrency", "runtime", "requests"]);
    expect(payload.task_concurrency).toBe(3);
    await expect(stat(join(cwd, "results"))).rejects.toThrow("ENOENT");
  });
});

describe("summary", () => {
  it("prints the summary of an AgentCompass run and writes nothing in a dry run", async () => {
    const run = join(await temporaryDirectory(), "a");
    await cp(join(ROOT, "test/conformance/runs/a"), run, { recursive: true });
    const before = await readFile(join(run, "metrics.json"), "utf8");
    const { code, stdout, stderr } = await agentcompass(["summary", run, "--dry-run"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^# .+ Evaluation Results\n/);
    expect(await readFile(join(run, "metrics.json"), "utf8")).toBe(before);
  });

  it("writes metrics.json with other parameters and says so", async () => {
    const run = join(await temporaryDirectory(), "a");
    await cp(join(ROOT, "test/conformance/runs/a"), run, { recursive: true });
    const args = ["summary", run, "--benchmark-params", '{"aggregation_mode": "category_mean"}', "--json"];
    const { code, stdout } = await agentcompass(args);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).metrics.aggregation).toBe("category_mean");
    expect(JSON.parse(await readFile(join(run, "metrics.json"), "utf8")).aggregation).toBe("category_mean");
  });
});

describe("the process", () => {
  it("tells what works on this machine with doctor", async () => {
    const { code, stdout, stderr } = await agentcompass(["doctor"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^ok +node +v\d+/m);
  });

  it("is silent when the reader of its output has gone", async () => {
    const home = await temporaryDirectory();
    const child = spawn("sh", ["-c", `"$0" "$1" run --help | true`, process.execPath, BIN], {
      env: { PATH: process.env["PATH"] ?? "", HOME: home },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let text = "";
    child.stderr.on("data", (part: Buffer) => {
      text += part.toString();
    });
    await new Promise((resolve) => child.on("close", resolve));
    expect(text).toBe("");
  });
});
