import { join } from "node:path";
import { dryRun, type LaunchOptions } from "@agentcompass/sdk";
import { expect, it } from "vitest";
import { createPlace, HOST, type Json, namesIn, refused, setVariable } from "./place.ts";

const NOP = { benchmark: { id: "starter" }, harness: { id: "nop" }, environment: HOST, model: { id: "none" } };

async function resolved(spec: object, options: LaunchOptions = {}): Promise<Json> {
  return (await dryRun({ ...spec }, options)).payload;
}

/** The first request of a spec as it was resolved. */
async function first(defaults: object, request: object): Promise<Json> {
  return (await resolved({ defaults: { ...NOP, ...defaults }, requests: [{ name: "one", ...request }] })).requests[0];
}

it("version: 1, and any other value is refused", async () => {
  await createPlace();
  const requests = [{ name: "one", ...NOP }];
  for (const version of [1, undefined])
    expect((await resolved({ ...(version !== undefined && { version }), requests })).requests).toHaveLength(1);
  for (const version of [2, "1", true])
    expect(await refused(resolved({ version, requests }))).toMatch(/spec.invalid: version/);
});

it("name: shown and returned", async () => {
  const place = await createPlace();
  const parts = { benchmark: { id: "work" }, harness: { id: "worker" }, environment: HOST, model: { id: "none" } };
  const result = await place.launch({ name: "nightly", requests: [{ name: "one", ...parts }] });
  expect(result.name).toBe("nightly");
  expect((await resolved({ name: "nightly", requests: [{ name: "one", ...NOP }] })).name).toBe("nightly");
});

it("defaults: sections that every request inherits, field by field, and may override", async () => {
  await createPlace();
  const execution = { max_retries: 2, attempts: { k: 3 } };
  const request = await first(
    { execution, model: { id: "none", params: { temperature: 1, seed: 2 } } },
    { execution: { attempts: { strategy: "pass" } }, model: { params: { seed: 3 } } },
  );
  expect(request.execution).toMatchObject({ max_retries: 2, attempts: { k: 3, strategy: "pass" } });
  expect(request.model).toMatchObject({ id: "none", params: { temperature: 1, seed: 3 } });
});

it("defaults: a request's own reuse: false wins, and a run to reuse means reuse", async () => {
  await createPlace();
  const defaults = { runtime: { reuse: true, checkpoint_resume: false } };
  expect((await first(defaults, {})).runtime).toMatchObject({ reuse: true, checkpoint_resume: false });
  expect((await first(defaults, { runtime: { reuse: false } })).runtime.reuse).toBe(false);
  expect((await first({}, { runtime: { reuse_run_id: "r" } })).runtime).toMatchObject({
    reuse: true,
    reuse_run_id: "r",
  });
});

it("defaults: parameters stay below a request that names another component", async () => {
  await createPlace();
  const request = await first({ benchmark: { id: "jsonl", limit: 3 } }, { benchmark: { id: "starter" } });
  expect(request.benchmark).toEqual({ id: "starter", params: { limit: 3 } });
});

it("null: a section that is null inherits", async () => {
  await createPlace();
  const request = await first({ execution: { max_retries: 4 } }, { execution: null, benchmark: null });
  expect([request.execution.max_retries, request.benchmark.id]).toEqual([4, "starter"]);
});

it("environment: setup and variables merge by field, a policy replaces the whole, gpu 0 drops its kind", async () => {
  await createPlace();
  const defaults = {
    environment: {
      id: "docker",
      setup: { workdir: "/a", image: "a:1" },
      env_variables: { A: "1", B: "1" },
      resources: { gpu: 1, gpu_type: "h100", cpu: 2 },
      run_network_policy: { network_mode: "allowlist", allowed_hosts: ["a.example"] },
    },
  };
  const { environment } = await first(defaults, {
    environment: {
      setup: { workdir: null, image: "b:2" },
      env_variables: { B: "" },
      resources: { gpu: 0 },
      run_network_policy: { network_mode: "no-network" },
    },
  });
  expect(environment).toMatchObject({
    setup: { workdir: "/a", image: "b:2" },
    env_variables: { A: "********", B: "" },
  });
  expect(environment.resources).toEqual({ cpu: 2, gpu: 0 });
  expect(environment.run_network_policy).toMatchObject({ network_mode: "no-network", allowed_hosts: [] });
});

it("requests: each needs a name that is unique, also as a directory", async () => {
  await createPlace();
  const two = (a: unknown, b: unknown) => resolved({ defaults: NOP, requests: [{ name: a }, { name: b }] });
  expect((await two("a", "b")).requests.map((request: Json) => request.name)).toEqual(["a", "b"]);
  expect(await refused(two("a", "a"))).toMatch(/requests\[1\].name: name 'a' is used/);
  expect(await refused(two("a b", "a/b"))).toMatch(/'a\/b' and 'a b' would share the directory 'a_b'/);
  expect(await refused(two("a", ""))).toMatch(/requests\[1\].name/);
  expect(await refused(two("a", ".."))).toContain("'..'");
  expect(await refused(resolved({ requests: [] }))).toContain("requests");
});

it("requests: what one names wrongly fails the launch before anything is written", async () => {
  const place = await createPlace();
  const wrong = { defaults: NOP, requests: [{ name: "a" }, { name: "b", harness: { id: "nope" } }] };
  expect(await refused(place.launch(wrong))).toMatch(/requests\[1\].harness.id: unknown harness 'nope'/);
  expect(await namesIn(join(place.path, "results"))).toEqual([]);
});

it("${NAME}: a whole value is the variable's, an undefined one is empty, inside text it is refused", async () => {
  await createPlace();
  setVariable("MODEL_OF_THE_TEST", "big");
  expect((await first({}, { model: { id: "${MODEL_OF_THE_TEST}" } })).model.id).toBe("big");
  expect((await first({}, { model: { base_url: "${NOT_THERE}" } })).model.base_url).toBe("");
  expect(await refused(first({}, { model: { base_url: "http://${NOT_THERE}" } }))).toContain(
    "requests[0].model.base_url",
  );
});

it("params: refused inside a component, where parameters are flat", async () => {
  await createPlace();
  expect(await refused(first({}, { benchmark: { id: "starter", params: { limit: 1 } } }))).toMatch(
    /requests\[0\].benchmark: 'params'/,
  );
});

it("task_concurrency: refused inside execution, and for what is no whole number of at least 1", async () => {
  await createPlace();
  expect(await refused(first({}, { execution: { task_concurrency: 2 } }))).toMatch(
    /requests\[0\].execution.*task_concurrency.*belongs at the top of the file/,
  );
  expect(await refused(first({ execution: { task_concurrency: 2 } }, {}))).toMatch(
    /defaults.execution.*task_concurrency/,
  );
  const requests = [{ name: "one", ...NOP }];
  for (const task_concurrency of [0, true, 2.5])
    expect(await refused(resolved({ task_concurrency, requests }))).toContain("task_concurrency");
  expect((await resolved({ task_concurrency: "4", requests })).task_concurrency).toBe(4);
});

it.each([
  ["a top-level field", { colour: 1 }, "'colour'"],
  ["a field of a request", { requests: [{ name: "one", ...NOP, colour: 1 }] }, "requests[0]"],
  ["a field of a model", { requests: [{ name: "one", ...NOP, model: { id: "none", key: 1 } }] }, "requests[0].model"],
  ["a field of runtime", { runtime: { result_dir: "x" } }, "runtime"],
  ["a kind of runtime", { runtime: { timeout_seconds: -1 } }, "runtime.timeout_seconds"],
  ["attempts", { defaults: { execution: { attempts: { k: 0 } } } }, "attempts.k"],
  ["a pattern", { defaults: { execution: { retry_pattern_list: ["("] } } }, "retry_pattern_list"],
])("refused: %s that is not known or not allowed, naming its place", async (_what, fields, place) => {
  await createPlace();
  expect(await refused(resolved({ requests: [{ name: "one", ...NOP }], ...fields }))).toContain(place);
});

it.each([
  ["a parameter of a benchmark", { benchmark: { id: "starter", limt: 1 } }, "'limt'"],
  ["a parameter of a harness", { harness: { id: "nop", speed: 1 } }, "'speed'"],
  ["a model that is missing", { harness: { id: "openai_chat" } }, "delivers text"],
])("file: a dry run that refuses %s names the file and the request", async (_what, fields, text) => {
  const place = await createPlace();
  const requests = [
    { name: "fine", ...NOP },
    { name: "wrong", ...NOP, ...fields },
  ];
  const file = await place.write("suite.yaml", { requests });
  const inFile = await refused(dryRun({ file }));
  expect(inFile).toContain(`: ${file}: requests[1] 'wrong': `);
  expect(inFile).toContain(text);
  expect(await refused(dryRun({ requests }))).toContain(": requests[1] 'wrong': ");
});

it.each([
  ["the same name", ["one", "one"]],
  ["names of the same directory", ["a/b", "a:b"]],
])("file: two requests of %s are refused with the file", async (_what, names) => {
  const place = await createPlace();
  const file = await place.write("suite.yaml", { requests: names.map((name) => ({ name, ...NOP })) });
  expect(await refused(resolved({ file }))).toContain(`: ${file}: requests[1].name: `);
});

it("file: YAML and JSON files say the same as an object", async () => {
  const place = await createPlace();
  const spec = { name: "same", requests: [{ name: "one", ...NOP }] };
  const yaml =
    "name: same\nrequests:\n  - name: one\n    benchmark: {id: starter}\n    harness: {id: nop}\n    environment: {id: host_process}\n    model: {id: none}\n";
  const files = [await place.write("a.yaml", yaml), await place.write("a.json", spec)];
  const without = ({ orchestration_id: _id, ...rest }: Json): Json => ({
    ...rest,
    requests: rest.requests.map(({ key: _key, ...one }: Json) => one),
  });
  for (const file of files) expect(without(await resolved({ file }))).toEqual(without(await resolved(spec)));
  expect(await refused(resolved({ file: "absent.yaml" }))).toMatch(/file.unreadable.*absent.yaml.*does not exist/);
});
