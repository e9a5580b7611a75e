import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, it, vi } from "vitest";
import { answered, loadAsk, noModel, placeLike, refusal, temporaryFolder } from "../../../testing/asks.ts";
import { openHost } from "../../../testing/host-session.ts";
import { harbor } from "./index.ts";

// Real processes start here, which a busy machine delays.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const TOML = 'version = "1.0"\n[metadata]\ncategory = "demo"\ndifficulty = "easy"\n';
const PASS = '#!/bin/sh\necho 1 >"$AGENTCOMPASS_LOGS/verifier/reward.txt"\n';
const container = placeLike({ id: "docker", ownsFilesystem: true, resourceFields: ["cpu", "memory_mb", "storage_mb"] });

type Files = Readonly<Record<string, string>>;

async function write(folder: string, files: Files): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

/** A folder with one task `demo`. */
async function dataset(files: Files = {}): Promise<Awaited<ReturnType<typeof temporaryFolder>>> {
  const folder = await temporaryFolder();
  const all: Files = { "task.toml": TOML, "instruction.md": "Do it.\n", "tests/test.sh": PASS, ...files };
  await write(join(folder.path, "demo"), all);
  return folder;
}

const load = (path: string, environment = placeLike(), params: Record<string, unknown> = {}) =>
  harbor.doLoad(loadAsk({ params: { path, ...params }, environment }));

it("maps a task.toml of the older form to a task", async () => {
  await using data = await dataset({
    "task.toml": `${TOML}tags = ["x"]
[verifier]
timeout_sec = 120.5
[agent]
timeout_sec = 900.0
[environment]
build_timeout_sec = 600.0
docker_image = "example/demo:1"
cpus = 2
memory = "2G"
storage = "500M"
allow_internet = false
`,
  });
  const { tasks, warnings, provenance } = await load(data.path, container);
  expect(tasks).toHaveLength(1);
  expect(tasks[0]).toMatchObject({
    task_id: "demo",
    category: "demo",
    run_timeout_seconds: 900,
    evaluation_timeout_seconds: 120.5,
    environment_setup: { image: "example/demo:1", build_timeout_seconds: 600 },
    resources: { cpu: 2, memory_mb: 2048, storage_mb: 500 },
    baseline_network_policy: { network_mode: "no-network", allowed_hosts: [], denied_hosts: [] },
    metadata: { difficulty: "easy", instruction: "Do it.\n" },
  });
  expect(warnings).toEqual([]);
  expect(provenance).toMatchObject({ source: data.path, tasks_available: 1 });
  expect(provenance.checksum).toMatch(/^sha256:[0-9a-f]{64}$/);
});

it("maps the newer form: networks by phase, variables, workdir", async () => {
  await using data = await dataset({
    "task.toml": `schema_version = "1.4"
[environment]
memory_mb = 512
workdir = "/app"
network_mode = "allowlist"
allowed_hosts = ["example.org"]
env = { PLAIN = "yes", DEFAULTED = "\${HOME_OF_IT:-here}", OPEN = "\${API_KEY}" }
[agent]
network_mode = "no-network"
[verifier.env]
MODE = "strict"
`,
  });
  const { tasks, warnings } = await load(data.path, container);
  expect(tasks[0]).toMatchObject({
    category: null,
    run_timeout_seconds: 600,
    evaluation_timeout_seconds: 600,
    environment_setup: { workdir: "/app" },
    baseline_network_policy: { network_mode: "allowlist", allowed_hosts: ["example.org"] },
    run_network_policy: { network_mode: "no-network" },
    env_variables: { PLAIN: "yes", DEFAULTED: "here" },
    metadata: { verifier_env: { MODE: "strict" } },
  });
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain("environment.env.OPEN");
  expect(warnings[0]).toContain("API_KEY");
});

it("names the fields of a task.toml that play no part, in one line", async () => {
  await using data = await dataset({
    "task.toml": `${TOML}[environment]\nskills_dir = "x"\n[agent]\nuser = "root"\n[reward]\nname = "x"\n`,
  });
  const { warnings } = await load(data.path, container);
  expect(warnings).toEqual([
    `${join(data.path, "demo", "task.toml")}: fields that are not used: environment.skills_dir, agent.user, reward`,
  ]);
});

it("says on host_process that image and limits are not kept, once for all tasks", async () => {
  await using data = await dataset({ "task.toml": `${TOML}[environment]\ndocker_image = "x"\ncpus = 1\n` });
  await write(join(data.path, "second"), {
    "task.toml": `${TOML}[environment]\ndocker_image = "y"\ncpus = 1\n`,
    "instruction.md": "x",
    "tests/test.sh": PASS,
  });
  const { tasks, warnings } = await load(data.path);
  expect(tasks.map((task) => [task.task_id, task.environment_setup, task.resources])).toEqual([
    ["demo", {}, {}],
    ["second", {}, {}],
  ]);
  expect(warnings).toHaveLength(2);
  expect(warnings.join("\n")).toMatch(/does not enforce the cpu[\s\S]*ignored/);
});

it("takes a single task folder, and selects tasks before it reads them", async () => {
  await using data = await dataset();
  await write(join(data.path, "broken"), { "task.toml": "= nothing" });
  await write(join(data.path, "no-task"), { "readme.txt": "x" });
  expect((await load(join(data.path, "demo"))).tasks.map((task) => task.task_id)).toEqual(["demo"]);
  const selected = await load(data.path, placeLike(), { sample_ids: ["demo"] });
  expect(selected.tasks).toHaveLength(1);
  expect(selected.provenance.tasks_available).toBe(2);
});

it.each<[string, Files, string]>([
  ["a task.toml that is no TOML", { "task.toml": "a = 1\nb = = 2" }, "task.toml:2: not TOML"],
  ["an unknown schema", { "task.toml": 'schema_version = "9.9"' }, 'task.toml: schema_version "9.9"'],
  ["a timeout as text", { "task.toml": '[verifier]\ntimeout_sec = "soon"' }, "task.toml: verifier.timeout_sec"],
  ["a size that is none", { "task.toml": '[environment]\nmemory = "lots"' }, "environment.memory: is no size"],
  ["several steps", { "task.toml": '[[steps]]\nname = "one"' }, "task.toml: steps"],
  ["a verifier of its own", { "task.toml": '[verifier]\nenvironment_mode = "separate"' }, "verifier.environment_mode"],
  ["an empty instruction", { "instruction.md": " \n" }, "instruction.md: is empty"],
])("refuses %s, naming the file", async (_case, files, message) => {
  await using data = await dataset(files);
  const error = await refusal(load(data.path));
  expect(error.code).toBe("benchmark.data_invalid");
  expect(error.message).toContain(join(data.path, "demo"));
  expect(error.message).toContain(message);
  expect(error.message).not.toContain("\n");
});

it.each(["task.toml", "instruction.md", "tests/test.sh"])("refuses a task without %s", async (name) => {
  await using data = await dataset();
  await rm(join(data.path, "demo", name));
  const error = await refusal(load(data.path));
  expect(error.message).toContain(`${join(data.path, "demo", name)}: is missing`);
});

it("refuses a folder that is absent, and one without tasks", async () => {
  await using folder = await temporaryFolder();
  const absent = await refusal(load(join(folder.path, "absent")));
  expect([absent.code, absent.message.startsWith("benchmark.path: ")]).toEqual(["benchmark.data_missing", true]);
  expect((await refusal(load(folder.path))).code).toBe("benchmark.empty");
  expect((await refusal(harbor.doLoad(loadAsk()))).message).toContain("benchmark.path: needed");
});

it.each<[string, string, string]>([
  ["tests/test.sh", "#!/bin/sh\ncat /app/out.txt\n", ":2: /app/out.txt is an absolute path"],
  ["tests/check.py", 'open(f"/logs/verifier/x")\n', ":1: /logs/verifier/x"],
  ["solution/solve.sh", "#!/bin/bash\ncp x /root/\n", ":2: /root/"],
  ["tests/deep/run.sh", "PATH=$PATH:/home/agent\n", ":1: /home/agent"],
  ["instruction.md", "Write the result to\n`/app/result.txt`.\n", ":2: /app/result.txt"],
])("refuses on host_process a task whose %s writes an absolute path, naming the line", async (name, text, message) => {
  await using data = await dataset({ [name]: text });
  const error = await refusal(load(data.path));
  expect(error.code).toBe("benchmark.data_invalid");
  expect(error.message).toContain(`${join(data.path, "demo", name)}${message}`);
  expect((await load(data.path, container)).tasks).toHaveLength(1);
});

it("takes paths that belong to no container", async () => {
  const text = [
    "#!/usr/bin/env sh",
    'cd "$AGENTCOMPASS_APP"/app && ls ./tests x/app "${DIR}/logs" $DIR/solution ~/app',
    "cat /dev/null /tmp/x /usr/bin/env https://example.org/app http://app/tests; echo and/or input/tests",
    "ls /apps /tests-old",
  ].join("\n");
  await using data = await dataset({
    "tests/test.sh": text,
    "environment/access.log": "GET /app/x\n",
    "environment/Dockerfile": "WORKDIR /app\n",
  });
  expect((await load(data.path)).tasks).toHaveLength(1);
});

/** Loads and prepares the task in a real session, lets `work` act as the agent, and evaluates. */
async function attempt(files: Files, work?: (workdir: string) => Promise<void>, solve = false) {
  await using data = await dataset(files);
  const task = (await load(data.path)).tasks[0]!;
  await using host = await openHost();
  const { signal, log } = loadAsk();
  const ask = { task, params: {}, session: host.session, signal, log };
  const prepared = await harbor.doPrepare(ask);
  await host.session.exec({ command: "true" });
  await work?.(host.session.workdir);
  const solved = solve ? await harbor.doSolve?.({ ...ask, prepared }) : undefined;
  const evaluation = await harbor.doEvaluate({ ...ask, prepared, run: answered(null), connectModel: noModel });
  return { prepared, solved, evaluation };
}

const reward = (value: string, name = "reward.txt") =>
  `#!/bin/sh\nprintf '%s' '${value}' >"$AGENTCOMPASS_LOGS/verifier/${name}"\n`;

it.each<[string, string, boolean, number]>([
  ["1 in reward.txt", reward("1"), true, 1],
  ["1.0 with blanks in reward.txt", reward(" 1.0\n"), true, 1],
  ["0.5 in reward.txt", reward("0.5"), false, 0.5],
  ["1 in reward.json", reward('{"reward": 1}', "reward.json"), true, 1],
  ["0 in reward.json", reward('{"reward": 0, "other": 1}', "reward.json"), false, 0],
])("scores %s", async (_case, script, correct, value) => {
  const { evaluation } = await attempt({ "tests/test.sh": script });
  expect(evaluation.metrics).toEqual({ correct });
  expect(evaluation.meta).toMatchObject({ reward: value, verifier_returncode: 0 });
  expect(evaluation.issues ?? []).toEqual([]);
});

it.each<[string, string, string]>([
  ["no reward", "#!/bin/sh\nexit 1\n", "neither reward.txt nor reward.json"],
  ["an empty reward", reward(""), "reward.txt is empty"],
  ["a reward that is no number", reward("yes"), "reward.txt holds no number"],
  ["a reward.json without reward", reward('{"score": 1}', "reward.json"), 'no number "reward"'],
  ["a reward.json that is no JSON", reward("{", "reward.json"), 'no number "reward"'],
  ["a reward in hexadecimal", reward("0x1"), "reward.txt holds no number"],
])("counts %s as wrong, with a warning", async (_case, script, reason) => {
  const { evaluation } = await attempt({ "tests/test.sh": script });
  expect(evaluation.metrics).toEqual({ correct: false });
  expect(evaluation.issues).toMatchObject([
    {
      severity: "warning",
      phase: "evaluate",
      code: "verifier_result_invalid",
      message: expect.stringContaining(reason),
    },
  ]);
});

it.each([
  ["of an unknown interpreter", "#!/nowhere/interpreter\n"],
  ["that calls an unknown command last", "#!/bin/sh\nno-such-command-here\n"],
])("reports a verifier %s as a fault of the set-up", async (_case, script) => {
  await expect(attempt({ "tests/test.sh": script })).rejects.toMatchObject({
    severity: "fatal",
    code: "verifier_setup_failed",
    phase: "evaluate",
  });
});

it("gives a reward that was planted before no weight", async () => {
  const plant = async (workdir: string) => {
    for (const folder of [workdir, join(workdir, "..", "scratch")])
      for (const place of ["logs/verifier", "verifier", "tests"])
        await write(join(folder, place), { "reward.txt": "1", "test.sh": PASS });
  };
  const { evaluation } = await attempt({ "tests/test.sh": "#!/bin/sh\nexit 0\n" }, plant);
  expect(evaluation.metrics).toEqual({ correct: false });
});

it("puts the task's files into the working directory, and neither tests nor solution", async () => {
  const script =
    '#!/bin/sh\ntest "$(cat data.txt)" = seed && test "$MODE" = strict && echo 1 >"$AGENTCOMPASS_LOGS/verifier/reward.txt"\n';
  const files: Files = {
    "task.toml": `${TOML}[verifier]\nenv = { MODE = "strict" }\n`,
    "environment/Dockerfile": "FROM scratch\n",
    "environment/data.txt": "seed\n",
    "tests/test.sh": script,
    "solution/solve.sh": "#!/bin/sh\n",
  };
  let seen: readonly string[] = [];
  const { prepared, evaluation } = await attempt(files, async (workdir) => {
    const { readdir } = await import("node:fs/promises");
    seen = await readdir(join(workdir, ".."), { recursive: true });
  });
  expect(seen.filter((path) => /data\.txt|Dockerfile|test\.sh|solve\.sh/.test(path))).toEqual([
    expect.stringMatching(/data\.txt$/),
  ]);
  expect(prepared.input.prompt).toBe("Do it.\n");
  expect(evaluation.metrics).toEqual({ correct: true });
});

it("applies the reference solution and takes it away again", async () => {
  const files: Files = {
    "task.toml": `${TOML}[solution]\nenv = { WORD = "done" }\n`,
    "solution/solve.sh":
      '#!/bin/sh\nset -e\ncat "$AGENTCOMPASS_SOLUTION/extra.txt" >"$AGENTCOMPASS_APP/out.txt"\necho "$WORD" >>out.txt\necho "$AGENTCOMPASS_SOLUTION" >where.txt\n',
    "solution/extra.txt": "extra\n",
    "tests/test.sh":
      '#!/bin/sh\n[ "$(cat out.txt)" = "extra\ndone" ] && [ ! -e "$(cat where.txt)" ] && echo 1 >"$AGENTCOMPASS_LOGS/verifier/reward.txt"\n',
  };
  const { solved, evaluation } = await attempt(files, undefined, true);
  expect(solved).toBeNull();
  expect(evaluation.metrics).toEqual({ correct: true });
});

it("says when a task has no solution, or its solution fails", async () => {
  await expect(attempt({}, undefined, true)).rejects.toMatchObject({ code: "reference_missing", severity: "error" });
  const failing = attempt({ "solution/solve.sh": "#!/bin/sh\necho oh no >&2\nexit 3\n" }, undefined, true);
  await expect(failing).rejects.toMatchObject({ code: "reference_failed", message: expect.stringContaining("oh no") });
});
