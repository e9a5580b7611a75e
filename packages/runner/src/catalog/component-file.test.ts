import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { sha256 } from "@agentcompass/core";
import type { LoadAsk } from "@agentcompass/core/plugin";
import * as plugin from "@agentcompass/core/plugin";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { builtinCatalog, loadComponentFiles, recipeFiles } from "./index.ts";

let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "agentcompass-components-"));
  onTestFinished(() => rm(folder, { recursive: true }));
});

async function write(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  return path;
}

function load(...paths: readonly string[]) {
  const files = paths.map((path) => ({ path, where: "suite.yaml: components[0]" }));
  return loadComponentFiles({ catalog: builtinCatalog(), files, api: plugin });
}

async function refusal(...paths: readonly string[]): Promise<string> {
  const error = await load(...paths).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ name: "AgentCompassError", exitCode: 2 });
  const { code, message } = error as { code: string; message: string };
  expect(message).not.toContain("\n");
  return `${code}: ${message.replaceAll(folder, "")}`;
}

const benchmark = (id: string, more = "") =>
  `{ kind: "benchmark", id: "${id}", description: "mine", doLoad: () => ({ tasks: [{ task_id: "a" }, { task_id: "b" }] }), doPrepare() {}, doEvaluate() {}, ${more} }`;

const TYPED = `
import { type Benchmark, type BenchmarkDefinition, defineBenchmark, textTask, z } from "agentcompass";
import type { Missing } from "./no-such-file.ts";
import { tail } from "./part.ts";
import { greeting } from "greeting";
enum Level { Easy = "easy" }
class Prompt { constructor(private readonly text: string) {} get whole() { return this.text satisfies string; } }
const word: string = await Promise.resolve(greeting);
export default defineBenchmark({
  id: "typed",
  description: "mine",
  params: z.strictObject({ level: z.enum(Level).default(Level.Easy).describe("How hard.") }),
  doLoad: ({ params }) => ({ tasks: [{ task_id: new Prompt(word + params.level + tail()).whole }] }),
  doPrepare: ({ task }) => textTask(task, "?"),
  doEvaluate: () => ({ metrics: { correct: true } }),
});
`;

function loadAsk(params: object): LoadAsk {
  return { params } as unknown as LoadAsk;
}

describe("a component file", () => {
  it.each(["typed.ts", "typed.mts"])(
    "%s may use all of TypeScript, files beside it and packages of its own",
    async (name) => {
      await write(
        "node_modules/greeting/package.json",
        '{ "name": "greeting", "type": "module", "exports": "./index.js" }',
      );
      await write("node_modules/greeting/index.js", 'export const greeting = "hello-";');
      await write("part.ts", 'export const tail = (): string => "-end";');
      const catalog = await load(await write(name, TYPED));
      const descriptor = catalog.benchmark.get("typed");
      const params = descriptor?.params.parse({}) ?? {};
      const loaded = await (await descriptor?.load?.())?.doLoad(loadAsk(params));
      expect(loaded?.tasks).toEqual([{ task_id: "hello-easy-end", category: null, ground_truth: null, metadata: {} }]);
    },
  );

  it.each(["own.mjs", "own.js", "own.cjs"])("%s is JavaScript as it stands", async (name) => {
    const text = name.endsWith(".cjs")
      ? `module.exports = ${benchmark("own")};`
      : `export default ${benchmark("own")};`;
    const catalog = await load(await write(name, text));
    expect(catalog.benchmark.get("own")).toMatchObject({ description: "mine", origin: join(folder, name) });
  });

  it("gets this program's own classes from agentcompass, so that its failures are graded as ours", async () => {
    const text = `import { StageFailure } from "agentcompass"; export default ${benchmark("own", 'doSolve() { throw new StageFailure("warning", "mine", "text"); },')};`;
    const found = await (await load(await write("own.mjs", text))).benchmark.get("own")?.load?.();
    await expect(found?.doSolve?.({} as never)).rejects.toBeInstanceOf(plugin.StageFailure);
  });

  it("is kept with its checksum and what it defines", async () => {
    const text = `export default [${benchmark("one")}, { kind: "scorer", id: "two", description: "d", isCorrect: () => true }];`;
    const path = await write("own.mjs", text);
    expect((await load(path)).files).toEqual([
      {
        path,
        checksum: `sha256:${sha256(text)}`,
        components: [
          { kind: "benchmark", id: "one", description: "mine" },
          { kind: "scorer", id: "two", description: "d" },
        ],
      },
    ]);
  });

  it("counts once when it is named twice, also through a link", async () => {
    const path = await write("own.mjs", `export default ${benchmark("own")};`);
    await symlink(path, join(folder, "link.mjs"));
    expect((await load(path, path, join(folder, "link.mjs"))).files).toHaveLength(1);
  });

  it("is refused when it changed after this process had loaded it", async () => {
    const path = await write("own.mjs", `export default ${benchmark("own")};`);
    await load(path);
    await load(path);
    await writeFile(path, `export default ${benchmark("other")};`);
    expect(await refusal(path)).toContain("/own.mjs changed after this process had loaded it");
  });
});

it("a component file that failed is run again once it was corrected", async () => {
  const path = await write("own.ts", 'throw new Error("not yet");');
  expect(await refusal(path)).toContain("not yet");
  await writeFile(path, `export default ${benchmark("own")};`);
  expect((await load(path)).benchmark.get("own")?.origin).toBe(path);
});

describe("a component file is refused in one line", () => {
  it("that names who asked for a missing file or a folder", async () => {
    expect(await refusal(join(folder, "gone.ts"))).toBe(
      "file.unreadable: suite.yaml: components[0]: component file /gone.ts cannot be read: there is no such file",
    );
    expect(await refusal(folder)).toContain("it is a directory; name each file in it");
  });

  const START = "component.invalid: suite.yaml: components[0]: component file /own";
  it.each([
    [
      "a syntax error",
      "ts",
      "const a: number = 1;\nconst b = ;\nexport default {};",
      " syntax error at /own.ts:2:11: Unexpected token",
    ],
    ["a syntax error in JavaScript", "mjs", "export default {\n", " syntax error at /own.mjs:2:1: "],
    [
      "a throwing top level",
      "ts",
      '\nthrow new Error("no key\\nat all");\nexport default 1;',
      " failed while it was loaded at /own.ts:2:7: no key",
    ],
    [
      "a missing package",
      "ts",
      'import x from "no-such-package";\nexport default x;',
      " imports 'no-such-package', which cannot be found from it; install it beside the file",
    ],
    [
      "a zod that is not installed",
      "mjs",
      'import { z } from "zod";\nexport default z;',
      " imports 'zod', which is not installed beside it; import { z } from \"agentcompass\" instead",
    ],
    [
      "a missing file",
      "mjs",
      'import x from "./gone.mjs";\nexport default x;',
      " imports './gone.mjs', which cannot be found from it",
    ],
    [
      "no default export",
      "ts",
      "export const benchmark = {};",
      " has no default export; end it with `export default defineBenchmark({ ... })`",
    ],
    [
      "fields that throw",
      "mjs",
      'export default { get kind() { throw new Error("not now"); } };',
      ": the default export cannot be read: not now",
    ],
    [
      "an entry that throws whatever is asked",
      "mjs",
      "export default [new Proxy({}, { get() { throw null; }, ownKeys() { throw null; } })];",
      ": the default export [0] cannot be read: null",
    ],
    [
      "an error without a text",
      "mjs",
      "throw { toString() { throw new Error(); } };",
      " failed while it was loaded: something that has no text was thrown",
    ],
    [
      "a promise",
      "mjs",
      `export default Promise.resolve(${benchmark("own")});`,
      ": the default export is a promise; write `export default await ...`",
    ],
    ["an empty list", "ts", "export default [];", ": the default export is an empty list"],
    [
      "no object",
      "ts",
      "export default [3];",
      ": the default export [0] is no component, found a number; make it with defineBenchmark",
    ],
    [
      "no kind",
      "ts",
      'export default { id: "a" };',
      ": the default export: kind must be one of benchmark, harness, environment, scorer, recipe, found nothing",
    ],
    [
      "another kind",
      "ts",
      'export default { kind: "Benchmark" };',
      ": the default export: kind must be one of benchmark, harness, environment, scorer, recipe, found 'Benchmark'",
    ],
    [
      "a missing function",
      "ts",
      'export default { kind: "scorer", id: "a", description: "d" };',
      ": scorer 'a': isCorrect: must be a function; it is missing",
    ],
    [
      "a wrong field",
      "ts",
      'export default { kind: "harness", id: "a", description: "d", delivers: ["file"], needsModel: false, runsCommands: false, doRun() {} };',
      ": harness 'a': delivers.0: ",
    ],
    [
      "an unknown field",
      "ts",
      `export default ${benchmark("a", "doEvalute() {},")};`,
      ": benchmark 'a': unknown field 'doEvalute' (known: id, description, params",
    ],
    [
      "an id with blanks",
      "ts",
      `export default ${benchmark("my bench")};`,
      ": benchmark 'my bench': id: must be letters, digits, '_', '-' and '.'",
    ],
    [
      "parameters that are no schema",
      "ts",
      `export default ${benchmark("a", "params: { limit: 3 },")};`,
      ": benchmark 'a': params: must be an object schema of zod 4, such as z.strictObject({ ... })",
    ],
    [
      "two primary metrics",
      "ts",
      `export default ${benchmark("a", 'metrics: ["x", "y"].map((id) => ({ id, kind: "scalar", primary: true })),')};`,
      ": benchmark 'a': metrics: must have exactly one primary metric",
    ],
  ])("for %s", async (_what, ending, text, message) => {
    const line = await refusal(await write(`own.${ending}`, text));
    expect(line.startsWith(`${START}.${ending}${message}`), line).toBe(true);
  });

  it("for an id that comes with AgentCompass", async () => {
    const path = await write("own.mjs", `export default ${benchmark("starter")};`);
    expect(await refusal(path)).toBe(
      "component.invalid: /own.mjs: benchmark 'starter' comes with AgentCompass; choose another id",
    );
    const scorer = await write(
      "scorer.mjs",
      'export default { kind: "scorer", id: "exact", description: "d", isCorrect() {} };',
    );
    expect(await refusal(scorer)).toContain("scorer 'exact' comes with AgentCompass");
  });

  it("for an id that is in two files, or in one twice", async () => {
    const one = await write("one.mjs", `export default ${benchmark("own")};`);
    const two = await write("two.mjs", `export default [${benchmark("own")}];`);
    expect(await refusal(one, two)).toBe(
      "component.invalid: benchmark 'own' is in /one.mjs and in /two.mjs; give one of them another id",
    );
    const twice = await write("twice.mjs", `export default [${benchmark("own")}, ${benchmark("own")}];`);
    expect(await refusal(twice)).toContain("is in /twice.mjs twice");
  });
});

describe("a folder of recipes", () => {
  const recipe = (id: string) =>
    `export default { id: "${id}", description: "mine", matches: () => true, apply: (plan) => plan };`;
  const loadFolder = (path: string) =>
    loadComponentFiles({ catalog: builtinCatalog(), files: recipeFiles(path, "runtime.recipe_dirs[0]"), api: plugin });

  it("gives every recipe of its files, by name, and leaves out declarations, tests and other files", async () => {
    await write("recipes/b.mjs", recipe("b"));
    await write(
      "recipes/a.ts",
      `const list = [${JSON.stringify("a1")}, "a2"].map((id: string) => ({ id, description: "d", matches: () => true, apply: (plan: object) => plan })); export default list;`,
    );
    for (const name of ["a.d.ts", "a.test.ts", "notes.md", ".hidden.ts", "__init__.py"])
      await write(`recipes/${name}`, "nonsense");
    expect((await loadFolder(join(folder, "recipes"))).recipes?.map(({ id }) => id)).toEqual(["a1", "a2", "b"]);
  });

  it("is refused with other components in it, without a recipe, with Python alone, and when it cannot be read", async () => {
    await write("mixed/a.mjs", `export default ${benchmark("own")};`);
    await expect(loadFolder(join(folder, "mixed"))).rejects.toThrow(
      "is a benchmark; a folder of recipes holds recipes alone",
    );
    await write("python/__init__.py", "RECIPE_CLASSES = []");
    expect(() => recipeFiles(join(folder, "python"), "x")).toThrow(
      "holds recipes in Python, which cannot run here; write each again as a .ts or .mjs file",
    );
    await write("empty/notes.md", "");
    expect(() => recipeFiles(join(folder, "empty"), "x")).toThrow("holds no recipe");
    expect(() => recipeFiles(join(folder, "gone"), "runtime.recipe_dirs[0]")).toThrow(
      "runtime.recipe_dirs[0]: recipe folder",
    );
    expect(() => recipeFiles(join(folder, "python/__init__.py"), "x")).toThrow(
      "it is no folder; name a single recipe file in components",
    );
  });
});
