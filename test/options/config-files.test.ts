import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { configShow, dryRun } from "@agentcompass/sdk";
import { expect, it } from "vitest";
import { createPlace, HOST, type Json, refused, setVariable } from "./place.ts";

const named = (results_dir: string): object => ({ runtime: { results_dir } });

async function shown(configPath?: string | readonly string[]): Promise<Json> {
  return configShow({
    ...(configPath !== undefined && { configPath }),
    harness: ["openai_chat"],
    environment: ["docker"],
  });
}

const directory = async (configPath?: string | readonly string[]): Promise<string> =>
  (await shown(configPath)).runtime.results_dir;

it("XDG_CONFIG_HOME, HOME: the user's file is the first layer and may be absent", async () => {
  const place = await createPlace();
  expect(await directory()).toBe("results");
  await place.write("home/.config/agentcompass/config.yaml", named("of-home"));
  expect(await directory()).toBe("of-home");
  setVariable("XDG_CONFIG_HOME", join(place.path, "xdg"));
  expect(await directory()).toBe("results");
  await place.write("xdg/agentcompass/config.yaml", named("of-xdg"));
  expect(await directory()).toBe("of-xdg");
});

it("config.yaml: of the working directory, else of the nearest ancestor, over the user's", async () => {
  const place = await createPlace();
  await place.write("home/.config/agentcompass/config.yaml", { runtime: { results_dir: "user", data_dir: "user" } });
  await place.write("config.yaml", named("ancestor"));
  await mkdir(join(place.path, "a/b"), { recursive: true });
  process.chdir(join(place.path, "a/b"));
  expect((await shown()).runtime).toMatchObject({ results_dir: "ancestor", data_dir: "user" });
  await place.write("a/config.yaml", named("nearer"));
  expect(await directory()).toBe("nearer");
});

it("configPath: further layers in order, the last wins; ~ is the home; text may be a JSON list", async () => {
  const place = await createPlace();
  await place.write("config.yaml", { runtime: { results_dir: "implicit", data_dir: "implicit" } });
  await place.write("one.yaml", named("one"));
  await place.write("home/two.json", named("two"));
  expect(await directory(["one.yaml", "~/two.json"])).toBe("two");
  expect(await directory(["~/two.json", "one.yaml"])).toBe("one");
  expect(await directory('["~/two.json", "one.yaml"]')).toBe("one");
  expect((await shown("one.yaml")).runtime).toMatchObject({ results_dir: "one", data_dir: "implicit" });
  expect(await refused(directory("absent.yaml"))).toContain(`${place.path}/absent.yaml`);
  expect(await refused(directory("home"))).toContain("it is a directory");
  expect(await refused(directory("[one.yaml"))).toContain("JSON list");
});

it("sections: runtime, execution and flat parameters of components, each merged over lower layers", async () => {
  const place = await createPlace();
  await place.write("config.yaml", {
    execution: { max_retries: 1, attempts: { k: 2 } },
    harnesses: { openai_chat: { max_retries: 7 } },
    environments: { docker: { setup: { workdir: "/a" }, resources: { cpu: 1 } } },
    benchmarks: { work: { tasks: 3 } },
  });
  await place.write("over.yaml", {
    execution: { attempts: { strategy: "pass" } },
    environments: { docker: { resources: { memory_mb: 5 } } },
  });
  const config = await shown("over.yaml");
  expect(config.execution).toMatchObject({ max_retries: 1, attempts: { k: 2, strategy: "pass" } });
  expect(config.harnesses.openai_chat.max_retries).toBe(7);
  expect(config.environments.docker).toMatchObject({ setup: { workdir: "/a" }, resources: { cpu: 1, memory_mb: 5 } });
  const run = await place.run({ configPath: "over.yaml", executionParams: { retry_min_delay_seconds: 1 } });
  expect((await run.json("run_info.json")).request.benchmark.params.tasks).toBe(3);
});

it("reuse and checkpoint_resume in a configuration are defaults of requests", async () => {
  const place = await createPlace();
  await place.write("config.yaml", { runtime: { reuse: true, checkpoint_resume: false } });
  const request = { benchmark: { id: "starter" }, harness: { id: "nop" }, environment: HOST, model: { id: "none" } };
  const own = { ...request, name: "b", runtime: { reuse: false } };
  const { payload } = await dryRun({ requests: [{ ...request, name: "a" }, own] });
  expect(payload).toMatchObject({
    requests: [{ runtime: { reuse: true, checkpoint_resume: false } }, { runtime: { reuse: false } }],
  });
});

it("null: an entry of a later file clears what earlier ones say of an environment", async () => {
  const place = await createPlace();
  await place.write("config.yaml", { environments: { docker: { setup: { workdir: "/a" } } } });
  await place.write("over.yaml", { environments: { docker: null } });
  expect((await shown("over.yaml")).environments.docker.setup).not.toMatchObject({ workdir: "/a" });
});

it("${NAME}: a whole value is the variable's, an undefined one is empty, inside text it is refused", async () => {
  const place = await createPlace();
  setVariable("FOLDER_OF_THE_TEST", "from-variable");
  await place.write("config.yaml", named("${FOLDER_OF_THE_TEST}"));
  expect(await directory()).toBe("from-variable");
  await place.write("config.yaml", { harnesses: { worker: { note: "a${FOLDER_OF_THE_TEST}" } } });
  expect(await refused(directory())).toContain("harnesses.worker.note");
  await place.write("over.yaml", { harnesses: { worker: { note: "whole" } } });
  expect(await directory("over.yaml")).toBe("results");
  await place.write("config.yaml", { harnesses: { worker: { note: "${NOT_THERE}" } } });
  place.execution.run = async (ask) => `note:${String(ask.params["note"])}`;
  expect((await (await place.run()).attempt()).final_answer).toBe("note:");
});

it("redaction: secrets of every section show as stars in config show, a dry run and run_info.json", async () => {
  const place = await createPlace();
  const secret = "secret-of-the-test";
  await place.write("config.yaml", {
    environments: { docker: { env_variables: { PLAIN: secret } }, elsewhere: { run_env_variables: { A: secret } } },
    execution: { analysis_params: { QualitativeAnalyzer: { api_key: secret } } },
  });
  const model = { id: "none", api_key: secret, params: { extra_headers: { authorization: secret }, seed: 1 } };
  const request = {
    name: "one",
    benchmark: { id: "work" },
    harness: { id: "worker" },
    model,
    environment: { id: "elsewhere" },
  };
  await place.launch({ requests: [request] }, { runId: "r" });
  const run = await place.run({ environment: "elsewhere", modelApiKey: secret });
  const dry = await dryRun({
    requests: [{ ...request, benchmark: { id: "starter" }, harness: { id: "nop" }, environment: { id: "docker" } }],
  });
  const info = await run.json("run_info.json");
  for (const text of [JSON.stringify(await shown()), JSON.stringify(dry.payload), JSON.stringify(info)]) {
    expect(text).not.toContain(secret);
    expect(text).toContain("********");
  }
  expect(dry.payload).toMatchObject({ requests: [{ model: { params: { seed: 1 }, wrap_api_key: false } }] });
});

it("models: refused in a configuration", async () => {
  const place = await createPlace();
  const path = await place.write("config.yaml", { models: { a: {} } });
  expect(await refused(directory())).toMatch(new RegExp(`config.invalid: ${path}: models`));
});

it("unknown: sections and keys of runtime are accepted with a warning", async () => {
  const place = await createPlace();
  await place.write("config.yaml", { colours: {}, runtime: { result_dir: "x" } });
  const messages: string[] = [];
  await place.run({ onLog: (record) => void (record.level === "WARNING" && messages.push(record.message)) });
  expect(messages.join("\n")).toMatch(/colours[\s\S]*runtime.result_dir/);
});

it.each([
  [
    "an unknown key of execution",
    { execution: { max_retry: 1 } },
    /execution.*'max_retry'; did you mean 'max_retries'/,
  ],
  ["params in a component", { harnesses: { worker: { params: { note: "a" } } } }, /harnesses.worker.*'params'/],
  ["a section that is no mapping", { execution: [1] }, /execution: must be a mapping, found a list/],
  ["a component that is no mapping", { benchmarks: { work: 3 } }, /benchmarks.work: must be a mapping/],
  [
    "auto_install_dependencies that is no truth value",
    { runtime: { auto_install_dependencies: "yes" } },
    /runtime.auto_install_dependencies/,
  ],
  ["recipe_dirs that is no list", { runtime: { recipe_dirs: "here" } }, /runtime.recipe_dirs/],
  ["a root that is no mapping", [1], /must be a mapping/],
])("refused: %s, naming file and field", async (_what, content, wanted) => {
  const place = await createPlace();
  const path = await place.write("config.yaml", content);
  const line = await refused(directory());
  expect(line).toMatch(wanted);
  expect(line).toContain(path);
});

it("empty: a file without content counts as one without settings", async () => {
  const place = await createPlace();
  await place.write("config.yaml", "");
  await place.write("over.yaml", "# nothing yet\n");
  expect(await directory("over.yaml")).toBe("results");
});
