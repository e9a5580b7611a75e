import { chmod, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agentcompass, temporaryDirectory } from "./command.ts";

/** Refused means: exit 2, one line on stderr that says why (after log lines), nothing on stdout, nothing written. */
async function expectRefusal(
  args: readonly string[],
  names: readonly (string | RegExp)[],
  cwd?: string,
): Promise<void> {
  const directory = cwd ?? (await temporaryDirectory());
  const before = await readdir(directory);
  const { code, stdout, stderr } = await agentcompass(args, { cwd: directory });
  expect(stderr).toMatch(/^(\d\d:\d\d:\d\d [^\n]+\n)*Error: [^\n]+\n$/);
  for (const name of names) expect(stderr.split("\n").at(-2)).toMatch(name);
  expect([code, stdout]).toEqual([2, ""]);
  expect(await readdir(directory)).toEqual(before);
}

const STARTER = ["run", "starter", "oracle", "none"];

describe("a command line that is wrong", () => {
  const cases: readonly (readonly [string, readonly string[], readonly (string | RegExp)[]])[] = [
    ["an unknown command", ["runn"], ["runn", /known: run, launch/]],
    ["an unknown command of a group", ["list", "benchmarks"], ["benchmarks", /known: benchmark, harness/]],
    ["an unknown option, with the nearest", [...STARTER, "--reuze"], ["--reuze", "--reuse"]],
    ["too few arguments", ["run", "starter"], ["HARNESS", "MODEL"]],
    ["too many arguments", [...STARTER, "more"], ["too many arguments"]],
    [
      "an argument beside the options that name all",
      ["run", "x", "--benchmark", "a", "--harness", "b", "--model", "c"],
      ["x"],
    ],
    ["an option without its value", [...STARTER, "--k"], ["--k"]],
    ["JSON that cannot be read", [...STARTER, "--benchmark-params", "{limit: 1}"], ["--benchmark-params", "JSON"]],
    ["JSON that is no object", [...STARTER, "--model-params", "[1]"], ["--model-params", "an array"]],
    ["patterns that are no array", [...STARTER, "--retry-pattern-list", "{}"], ["--retry-pattern-list"]],
    ["an empty protocol list", [...STARTER, "--model-api-protocol", "[]"], ["--model-api-protocol"]],
    ["text for a number", [...STARTER, "--task-concurrency", "many"], ["--task-concurrency", "many"]],
    ["a limit without provider", [...STARTER, "--provider-limit", "=3"], ["--provider-limit", "provider=number"]],
    ["a limit without number", [...STARTER, "--env-open-qps", "docker"], ["--env-open-qps", "docker"]],
    ["an unknown progress mode", [...STARTER, "--progress", "live"], ["--progress", "auto, plain, none"]],
    [
      "an unknown log level",
      [...STARTER, "--log-level", "loud"],
      ["--log-level", "DEBUG, INFO, WARNING, ERROR, CRITICAL"],
    ],
    ["an unknown format", ["config", "show", "--format", "toml"], ["--format", "yaml, json"]],
    ["two runs to reuse", [...STARTER, "--reuse", "a", "--reuse", "b"], ["--reuse", "one value"]],
    ["an unknown recipe", [...STARTER, "--recipe", "x"], ["execution.enabled_recipes", "'x'", "none is loaded"]],
    [
      "a recipe directory that is not there",
      [...STARTER, "--recipe-dir", "x"],
      ["runtime.recipe_dirs[0]", "no such folder"],
    ],
    ["analysis", ["analysis", "dir", "--override"], ["analysis", "later release"]],
    ["view", ["view", "--port", "1"], ["view", "later release"]],
    ["env list", ["env", "list"], ["env list", "later release"]],
    ["env close", ["env", "close", "--all"], ["env close", "later release"]],
  ];
  it.each(cases)("is refused: %s", async (_what, args, names) => {
    await expectRefusal(args, names);
  });
});

describe("a request that cannot be run", () => {
  const cases: readonly (readonly [string, readonly string[], readonly (string | RegExp)[]])[] = [
    [
      "an unknown benchmark, with the known and the nearest",
      ["run", "startr", "oracle", "none"],
      ["startr", "starter", "gsm8k"],
    ],
    ["an unknown harness, with the known", ["run", "starter", "orakle", "none"], ["orakle", "oracle", "openai_chat"]],
    ["an unknown environment, with the known", [...STARTER, "--env", "dokker"], ["dokker", "docker", "host_process"]],
    ["an unknown parameter", [...STARTER, "--benchmark-params", '{"limt": 1}'], ["limt", "limit"]],
    [
      "a component of a later release",
      ["run", "swebench_verified", "oracle", "none"],
      ["swebench_verified", "later release"],
    ],
    ["no attempts", [...STARTER, "--k", "0"], [/attempts|--k|\bk\b/]],
    ["a pattern that is no regular expression", [...STARTER, "--retry-pattern-list", '["("]'], ["retry_pattern_list"]],
    ["a missing configuration", [...STARTER, "--config", "no.yaml"], ["no.yaml"]],
    ["a missing run to reuse", [...STARTER, "--reuse", "never"], ["never"]],
    [
      "a missing data file",
      ["run", "jsonl", "nop", "none", "--benchmark-params", '{"path": "no.jsonl"}'],
      ["no.jsonl"],
    ],
  ];
  it.each(cases)("is refused: %s", async (_what, args, names) => {
    await expectRefusal(args, names);
  });

  it("is refused: an empty dataset", async () => {
    const cwd = await temporaryDirectory();
    await writeFile(join(cwd, "empty.jsonl"), "");
    await expectRefusal(
      ["run", "jsonl", "nop", "none", "--benchmark-params", '{"path": "empty.jsonl"}'],
      ["empty.jsonl"],
      cwd,
    );
  });

  it("is refused: a results directory without permission", async () => {
    const cwd = await temporaryDirectory();
    const closed = join(cwd, "closed");
    await mkdir(closed);
    await chmod(closed, 0o555);
    await chmod(cwd, 0o777);
    // Permissions do not hold root back, so root takes another user's part.
    const uid = process.getuid?.() === 0 ? { uid: 65534 } : {};
    const args = [...STARTER, "--results-dir", "closed/results", "--progress", "none", "--log-level", "CRITICAL"];
    const { code, stdout, stderr } = await agentcompass(args, { cwd, env: { HOME: cwd }, ...uid });
    expect(stderr).toMatch(/^Error: [^\n]*closed\/results[^\n]*\n$/);
    expect([code, stdout]).toEqual([2, ""]);
  });
});

describe("an orchestration file that is wrong", () => {
  const request = "requests: [{name: a, benchmark: {id: starter}, harness: {id: oracle}, model: {id: none}}]";
  const cases: readonly (readonly [string, string, readonly (string | RegExp)[]])[] = [
    ["YAML that cannot be read, with file and line", "requests: [\n  a: b\n c", ["suite.yaml", /line|:\d/]],
    ["an unknown field", `${request}\nlimitz: 1`, ["suite.yaml", "limitz"]],
    ["no requests", "requests: []", ["requests"]],
    ["an unknown component", request.replace("starter", "startr"), ["startr", "starter"]],
    ["another version", `${request}\nversion: 2`, ["version"]],
  ];
  it.each(cases)("is refused: %s", async (_what, text, names) => {
    const cwd = await temporaryDirectory();
    await writeFile(join(cwd, "suite.yaml"), text);
    await expectRefusal(["launch", "suite.yaml"], names, cwd);
    await expectRefusal(["launch", "suite.yaml", "--dry-run"], names, cwd);
  });

  it("is refused: one that is not there, or is a directory", async () => {
    const cwd = await temporaryDirectory();
    await expectRefusal(["launch", "no.yaml"], ["no.yaml"], cwd);
    await expectRefusal(["launch", "."], [cwd], cwd);
  });

  it("is refused: a directory that is no run", async () => {
    await expectRefusal(["summary", "."], [/run_info/]);
    await expectRefusal(["summary", "nowhere"], ["nowhere"]);
  });
});
