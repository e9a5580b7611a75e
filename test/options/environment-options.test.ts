import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EnvironmentSession } from "@agentcompass/core/plugin";
import { expect, it, onTestFinished } from "vitest";
import { createPlace, namesIn, type Place, pause, refused, setVariable } from "./place.ts";

type Seen = { run: string; evaluation: string };

/** Runs a command while the agent works and while its answer is scored in the same session, and returns what it wrote. */
async function seen(
  place: Place,
  command: string,
  environmentParams: Readonly<Record<string, unknown>>,
): Promise<Seen> {
  const said: Seen = { run: "", evaluation: "" };
  const say = async (session: EnvironmentSession | undefined): Promise<string> =>
    (await session?.exec({ command, env: { C: "call", D: "call" } }))?.stdout.trim() ?? "no session";
  place.execution.run = async (ask) => {
    said.run = await say(ask.session);
    return "42";
  };
  place.execution.evaluate = async (ask) => {
    said.evaluation = await say(ask.session);
    return { metrics: { correct: true } };
  };
  const run = await place.run({ environmentParams: { evaluation_environment_mode: "reuse", ...environmentParams } });
  expect(run.error).toBe("");
  return said;
}

it("setup.workdir: the working directory, made when absent and never removed; else a private one", async () => {
  const place = await createPlace();
  const open = await mkdtemp(join(await realpath(tmpdir()), "agentcompass-workdir-"));
  onTestFinished(() => rm(open, { recursive: true, force: true }));
  const workdir = join(open, "made");
  expect((await seen(place, "touch here; pwd", { setup: { workdir } })).run).toBe(workdir);
  expect(await namesIn(workdir)).toEqual(["here"]);
  const own = await seen(place, "pwd", {});
  expect(own.run).not.toBe(workdir);
  expect(await namesIn(own.run)).toEqual([]);
});

it("setup.build_timeout_seconds: time to open the environment", async () => {
  const place = await createPlace();
  place.execution.open = (ask) => pause(200, ask.signal);
  const build = async (seconds: number): Promise<string> =>
    (await (await place.run({ environmentParams: { setup: { build_timeout_seconds: seconds } } })).attempt()).status;
  expect(await build(0.02)).toBe("run_error");
  expect(await build(5)).toBe("completed");
});

it("setup.image, setup.os: refused on host_process, which has neither; a task's own image does not matter there", async () => {
  const place = await createPlace();
  for (const [field, value] of Object.entries({ image: "some:1", os: "linux" }))
    expect(await refused(place.run({ environmentParams: { setup: { [field]: value } } }))).toContain(
      `environment.setup.${field}: host_process has no use for it`,
    );
  place.execution.task = { environment_setup: { image: "some:1" } };
  const run = await place.run();
  expect([run.score, (await run.attempt()).issues]).toEqual([1, []]);
});

it("resources, run_resources: refused where they are not enforced; storage_mb alone is ignored with a warning", async () => {
  const place = await createPlace();
  for (const field of ["resources", "run_resources"])
    expect(await refused(place.run({ environmentParams: { [field]: { cpu: 2 } } }))).toContain(
      "environment.resources.cpu: host_process cannot enforce it",
    );
  const warnings: string[] = [];
  const run = await place.run({
    environmentParams: { resources: { storage_mb: 5 } },
    onLog: (record) => void (record.level === "WARNING" && warnings.push(record.message)),
  });
  expect([run.status, warnings.join()]).toEqual(["completed", expect.stringContaining("storage_mb is ignored")]);
});

it("baseline_network_policy, run_network_policy, evaluation_network_policy: refused where the mode is not enforced", async () => {
  const place = await createPlace();
  for (const field of ["baseline_network_policy", "run_network_policy", "evaluation_network_policy"]) {
    const policy = (network_mode: string) => ({ environmentParams: { [field]: { network_mode } } });
    expect(await refused(place.run(policy("no-network")))).toContain(
      `environment.${field}: host_process cannot enforce network mode no-network`,
    );
    expect((await place.run(policy("public"))).status).toBe("completed");
  }
});

it("env_variables: of every command of the task, with references inside text; a missing one is an error", async () => {
  const place = await createPlace();
  setVariable("NAME_OF_THE_TEST", "world");
  const env_variables = { GREETING: "hello ${NAME_OF_THE_TEST}", OTHER: "${NOT_THERE:-default}" };
  const said = await seen(place, 'echo "$GREETING $OTHER $NAME_OF_THE_TEST"', { env_variables });
  expect(said).toEqual({ run: "hello world default", evaluation: "hello world default" });
  const run = await place.run({ environmentParams: { env_variables: { A: "x${NOT_THERE}" } } });
  expect((await run.attempt()).issues[0]).toMatchObject({
    phase: "setup",
    message: expect.stringContaining("NOT_THERE"),
  });
});

it("run_env_variables: over them, while the agent works", async () => {
  const place = await createPlace();
  const variables = { env_variables: { A: "common", B: "common" }, run_env_variables: { A: "run", C: "run" } };
  expect(await seen(place, 'echo "$A $B $C $D"', variables)).toEqual({
    run: "run common run call",
    evaluation: "common common call call",
  });
});

it("evaluation_env_variables: over them, while the answer is scored", async () => {
  const place = await createPlace();
  const variables = {
    env_variables: { A: "common", B: "common" },
    evaluation_env_variables: { A: "score", C: "score" },
  };
  expect(await seen(place, 'echo "$A $B $C $D"', variables)).toEqual({
    run: "common common call call",
    evaluation: "score common score call",
  });
});

it("require_startup_env: on host_process the variables are there when it opens, with it and without", async () => {
  const place = await createPlace();
  for (const require_startup_env of [true, false])
    await seen(place, "true", { require_startup_env, env_variables: { A: "there" } });
  expect(place.opened.map((ask) => ask.env["A"])).toEqual(["there", "there"]);
});

it("evaluation_environment_mode: reuse scores in the agent's session, none without one", async () => {
  const place = await createPlace();
  const mode = (evaluation_environment_mode: string) => seen(place, "echo here", { evaluation_environment_mode });
  expect(await mode("reuse")).toEqual({ run: "here", evaluation: "here" });
  expect(await mode("none")).toEqual({ run: "here", evaluation: "no session" });
  const starter = { benchmark: "starter", harness: "nop", environmentParams: { evaluation_environment_mode: "none" } };
  expect(await refused(place.run(starter))).toContain("environment.evaluation_environment_mode");
});
