import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sha256 } from "@agentcompass/core";
import { beforeEach, describe, expect, it } from "vitest";
import { agentcompass, ROOT, temporaryDirectory } from "./command.ts";

const EXAMPLES = join(ROOT, "examples/components");

// biome-ignore lint/suspicious/noExplicitAny: tests look into documents of any shape
type Json = any;

async function runInfo(path: string): Promise<Json> {
  return JSON.parse(await readFile(join(path, "run_info.json"), "utf8"));
}

async function resultsOf(path: string): Promise<readonly string[]> {
  return readdir(path).catch(() => []);
}

describe("examples/components/orchestration.yaml", () => {
  it("runs a benchmark, a harness, an environment, a scorer and a recipe from their files, TypeScript and JavaScript", async () => {
    const results = await temporaryDirectory();
    const { code, stdout, stderr } = await agentcompass(
      ["launch", "examples/components/orchestration.yaml", "--json", "--results-dir", results],
      { cwd: ROOT },
    );
    expect(stderr).not.toContain("Error");
    expect(code).toBe(0);
    const { requests } = JSON.parse(stdout) as Json;
    const score = (name: string) => requests[name].result.metrics.series[0].value;
    expect([score("reversed"), score("estimates"), score("pangrams")]).toEqual([1, 1, 2 / 3]);
    expect(requests.reversed.result.applied_recipes).toEqual(["patient_with_long_words"]);
    expect(requests.pangrams.result.applied_recipes).toEqual([]);

    const info = await runInfo(requests.reversed.paths.output_dir);
    const plans = info.resolved_execution_plans;
    expect(plans.calendar.attempts["1"]).toMatchObject({
      run_timeout_seconds: 300,
      env_variables: { WORD_LENGTH: "long" },
      applied_recipes: ["patient_with_long_words"],
    });
    expect(plans.stone.attempts["1"]).toMatchObject({ run_timeout_seconds: 60, applied_recipes: [] });
    expect(info.provenance.components).toHaveLength(6);
    const path = join(EXAMPLES, "pangrams.mjs");
    expect(info.provenance.components[5]).toEqual({
      path,
      checksum: `sha256:${sha256(await readFile(path))}`,
      components: [
        { kind: "benchmark", id: "pangrams" },
        { kind: "harness", id: "yes_man" },
      ],
    });
  });

  it("is shown by a dry run with its files, and writes nothing", async () => {
    const results = await temporaryDirectory();
    const args = ["launch", "examples/components/orchestration.yaml", "--dry-run", "--results-dir", join(results, "r")];
    const { code, stdout } = await agentcompass(args, { cwd: ROOT });
    expect(code).toBe(0);
    expect(stdout).toContain(`path: ${join(EXAMPLES, "recipe.ts")}`);
    expect(stdout).toContain("id: reversed_words");
    expect(await resultsOf(results)).toEqual([]);
  });
});

describe("component files of a folder elsewhere", () => {
  let folder = "";

  beforeEach(async () => {
    folder = await temporaryDirectory();
    for (const name of ["benchmark.ts", "harness.ts", "scorer.ts", "recipe.ts", "pangrams.mjs", "estimates.jsonl"])
      await cp(join(EXAMPLES, name), join(folder, name));
  });

  const run = (args: readonly string[]) => agentcompass(args, { cwd: folder });
  const named = (...names: readonly string[]) => names.flatMap((name) => ["--component", name]);

  it("are named by options of run, and summary finds the benchmark again", async () => {
    const files = named("benchmark.ts", "harness.ts", "recipe.ts");
    const ended = await run([
      "run",
      "reversed_words",
      "shell_filter",
      "none",
      ...files,
      "--recipe",
      "patient_with_long_words",
      "--json",
    ]);
    expect(ended.code).toBe(0);
    const { metrics, applied_recipes, paths } = JSON.parse(ended.stdout) as Json;
    expect(metrics.series[0].value).toBe(1);
    expect(applied_recipes).toEqual(["patient_with_long_words"]);
    const directory = join(paths.run_info, "..");
    expect((await run(["summary", directory, ...named("benchmark.ts")])).code).toBe(0);
  });

  it("are named by a configuration, relative to it, and then known to every command", async () => {
    await mkdir(join(folder, "settings"));
    const files = ["../benchmark.ts", "../scorer.ts", "../recipe.ts"];
    await writeFile(join(folder, "settings/config.yaml"), JSON.stringify({ components: files }));
    await mkdir(join(folder, "settings/inner"));
    const inner = (args: readonly string[]) => agentcompass(args, { cwd: join(folder, "settings/inner") });
    const shown = await inner(["config", "docs", "benchmark", "reversed_words"]);
    expect(shown.stdout).toContain(
      `benchmark reversed_words: Spell each word backwards. (${join(folder, "benchmark.ts")})`,
    );
    expect(shown.stdout).toMatch(/^words +string\[\]/m);
    expect((await inner(["list", "benchmark"])).stdout).toMatch(/^reversed_words +Spell.*benchmark\.ts\)$/m);
    expect((await inner(["list", "scorer"])).stdout).toMatch(/^close_enough +.*scorer\.ts\)$/m);
    expect((await inner(["list", "recipe"])).stdout).toMatch(/^patient_with_long_words +.*recipe\.ts\)$/m);
    expect((await inner(["config", "show"])).stdout).toContain(join(folder, "scorer.ts"));
    expect((await inner(["doctor"])).stdout).toMatch(/ok +own components +benchmark reversed_words \(/);
  });

  it("hold recipes in a folder that --recipe-dir names", async () => {
    await mkdir(join(folder, "recipes"));
    await cp(join(folder, "recipe.ts"), join(folder, "recipes/recipe.ts"));
    const files = named("benchmark.ts", "harness.ts");
    const ended = await run([
      "run",
      "reversed_words",
      "shell_filter",
      "none",
      ...files,
      "--recipe-dir",
      "recipes",
      "--json",
    ]);
    expect(JSON.parse(ended.stdout)).toMatchObject({ applied_recipes: ["patient_with_long_words"] });
  });

  const TEXTS: Readonly<Record<string, string>> = {
    "syntax.ts": "export default {\n  id: ;\n};\n",
    "nothing.ts": "export const benchmark = {};\n",
    "shape.ts": 'export default { kind: "harness", id: "a", description: "d" };\n',
    "taken.ts": 'export default { kind: "scorer", id: "exact", description: "d", isCorrect: () => true };\n',
  };

  it.each([
    ["a missing file", ["gone.ts"], "gone.ts cannot be read: there is no such file"],
    ["a syntax error", ["syntax.ts"], "syntax.ts:2:7: Unexpected token"],
    ["no default export", ["nothing.ts"], "nothing.ts has no default export"],
    ["a wrong shape", ["shape.ts"], "harness 'a': delivers: "],
    ["an id that is taken", ["taken.ts"], "scorer 'exact' comes with AgentCompass"],
    ["an id in two files", ["benchmark.ts", "copy.ts"], "benchmark 'reversed_words' is in "],
  ])("are refused in one line with exit code 2 before anything is written: %s", async (_what, names, message) => {
    for (const [name, text] of Object.entries(TEXTS)) await writeFile(join(folder, name), text);
    await cp(join(folder, "benchmark.ts"), join(folder, "copy.ts"));
    for (const command of [
      ["run", "starter", "nop", "none"],
      ["list", "benchmark"],
    ]) {
      const { code, stdout, stderr } = await run([...command, ...named(...names)]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toMatch(/^Error: .*\n$/);
      expect(stderr).toContain(message);
    }
    expect(await resultsOf(join(folder, "results"))).toEqual([]);
  });

  it("are refused by the line of the file that names them", async () => {
    const spec = { components: ["./gone.ts"], requests: [{ name: "one" }] };
    await writeFile(join(folder, "suite.yaml"), JSON.stringify(spec));
    const { code, stderr } = await run(["launch", "suite.yaml"]);
    expect([code, stderr]).toEqual([
      2,
      `Error: suite.yaml: components[0]: component file ${join(folder, "gone.ts")} cannot be read: there is no such file\n`,
    ]);
  });

  it("give scorers to jsonl alone, and parameters to their own components alone", async () => {
    const jsonl = ["run", "jsonl", "oracle", "none", "--benchmark-params"];
    const params = (scorer: string) => JSON.stringify({ path: "estimates.jsonl", scorer });
    expect((await run([...jsonl, params("close_enough"), ...named("scorer.ts")])).code).toBe(0);
    const without = await run([...jsonl, params("close_enough")]);
    expect(without.code).toBe(2);
    expect(without.stderr).toContain("benchmark.scorer: ");
    const typo = [
      "run",
      "reversed_words",
      "nop",
      "none",
      ...named("benchmark.ts"),
      "--benchmark-params",
      '{"word": []}',
    ];
    expect((await run(typo)).stderr).toContain("unknown parameter 'word'; did you mean 'words'?");
  });
});

describe("a component file that ends the process", () => {
  const recipe =
    'export default { kind: "recipe", id: "r", description: "d", matches: () => true, apply: (plan) => plan };';
  const waiting = recipe.replace("apply: (plan) => plan", "apply: (plan) => { PLACE; return plan; }");
  const ended = (code: number) =>
    `Error: the process ended with code ${code} before its command had: a component called process.exit, or waits for what never comes; what is finished is kept, --reuse takes it over\n`;

  it.each([
    ["process.exit(0) at load", `process.exit(0); ${recipe}`, 1, ended(0)],
    ["process.exit(7) at load", `process.exit(7); ${recipe}`, 7, ended(7)],
    ["process.exit() in a run", waiting.replace("PLACE", "process.exit()"), 1, ended(0)],
    [
      "an exception that nobody hears",
      `setTimeout(() => { throw new Error("later\\nmore"); }); await new Promise(() => setInterval(() => {}, 1000)); ${recipe}`,
      1,
      "Error: internal: later more; set AGENTCOMPASS_DEBUG=1 to see where\n",
    ],
    [
      "a rejection that nobody hears",
      `Promise.reject(new Error("unheard")); await new Promise(() => setInterval(() => {}, 1000)); ${recipe}`,
      1,
      "Error: internal: unheard; set AGENTCOMPASS_DEBUG=1 to see where\n",
    ],
  ])("by %s is no success and is said in one line", async (_what, text, code, line) => {
    const cwd = await temporaryDirectory();
    await writeFile(join(cwd, "own.mjs"), text);
    const args = [
      "run",
      "starter",
      "nop",
      "none",
      "--component",
      "own.mjs",
      "--progress",
      "none",
      "--log-level",
      "ERROR",
    ];
    const run = await agentcompass(args, { cwd });
    expect(run).toEqual({ code, stdout: "", stderr: line });
  });

  it("by waiting for what never comes is no success either", async () => {
    const cwd = await temporaryDirectory();
    await writeFile(join(cwd, "own.mjs"), `await new Promise(() => {}); ${recipe}`);
    const { code, stdout, stderr } = await agentcompass(["run", "starter", "nop", "none", "--component", "own.mjs"], {
      cwd,
    });
    expect(code).toBeGreaterThan(0);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/^Error: the process ended with code \d+ before its command had: .*\n$/);
  });
});
