import { EnvironmentFailure, type ModelAnswer, ModelFailure } from "@agentcompass/core/plugin";
import { describe, expect, it } from "vitest";
import { agentScene, bashCalls, preparedTask, scriptedSession } from "../../../testing/agent-scene.ts";
import { openHost } from "../../../testing/host-session.ts";
import { miniSweAgent } from "./index.ts";

const SUBMIT = bashCalls("echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT");
const busy = new ModelFailure("status", "HTTP 503: busy", { status: 503 });
const MARKER = { stdout: "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT\n" };

describe("a model call of mini_swe_agent that fails", () => {
  it("is repeated up to ten times, 4, 4, 4, 8, 16, 32 and then 60 s apart, and is then fatal", async () => {
    const { clock, asks, logged, run } = agentScene(miniSweAgent, scriptedSession(), [busy]);
    const startedAt = clock.now();
    const result = await run();
    expect(asks).toHaveLength(10);
    expect(clock.now() - startedAt).toBe((4 + 4 + 4 + 8 + 16 + 32 + 60 + 60 + 60) * 1000);
    expect(logged).toHaveLength(9);
    expect(result.issues).toMatchObject([{ severity: "fatal", phase: "run", code: "model_failed" }]);
  });

  it("waits as long as Retry-After asks", async () => {
    const limited = new ModelFailure("status", "HTTP 429", { status: 429, retryAfterMs: 90_000 });
    const session = scriptedSession(() => MARKER);
    const { clock, run } = agentScene(miniSweAgent, session, [limited, SUBMIT]);
    const startedAt = clock.now();
    expect((await run()).issues).toEqual([]);
    expect(clock.now() - startedAt).toBe(90_000);
  });

  it.each([400, 401, 403, 404])("is not repeated after HTTP %i", async (status) => {
    const { asks, run } = agentScene(miniSweAgent, scriptedSession(), [new ModelFailure("status", "no", { status })]);
    expect((await run()).issues).toMatchObject([{ severity: "fatal", code: "model_failed" }]);
    expect(asks).toHaveLength(1);
  });

  it("keeps what was done when the context is full, so that it is judged", async () => {
    await using host = await openHost();
    const full = new ModelFailure("status", "too long", { status: 400, code: "model_context_overflow" });
    const { run } = agentScene(miniSweAgent, host.session, [bashCalls("echo kept > work.txt"), full]);
    const result = await run();
    expect(result.issues).toMatchObject([{ severity: "error", phase: "run", code: "model_context_overflow" }]);
    expect(result.trajectory?.steps).toHaveLength(1);
    expect(result.artifacts["mini_swe_agent_raw_trajectory"]).toMatchObject({
      info: { exit_status: "ModelFailure", model_stats: { api_calls: 2 } },
    });
    expect(await host.session.readText("work.txt")).toBe("kept\n");
  });

  it("ends with the signal's reason when the run is cancelled", async () => {
    const controller = new AbortController();
    const stop = () => {
      controller.abort(new Error("cancelled"));
      return busy;
    };
    const { run } = agentScene(miniSweAgent, scriptedSession(), [stop]);
    await expect(run({ signal: controller.signal })).rejects.toThrow("cancelled");
  });
});

describe("the deadline of mini_swe_agent", () => {
  it("ends a model call shortly before it, with what was done until then", async () => {
    const never = () => new Promise<ModelAnswer>(() => {});
    const { clock, run } = agentScene(miniSweAgent, scriptedSession(), [bashCalls("true"), never]);
    const deadlineAt = clock.now() + 100_000;
    const result = await run({ deadlineAt });
    expect(clock.now()).toBeGreaterThanOrEqual(deadlineAt - 2000);
    expect(clock.now()).toBeLessThan(deadlineAt);
    expect(result.issues).toMatchObject([{ severity: "error", phase: "run", code: "harness_failed" }]);
    expect(result.telemetry).toMatchObject({ exit_status: "TimeExceeded", api_calls: 2 });
    expect(result.trajectory?.steps).toHaveLength(1);
  });

  it("bounds each command by the time that is left", async () => {
    const session = scriptedSession(() => MARKER);
    const { clock, run } = agentScene(miniSweAgent, session, [SUBMIT]);
    await run({ deadlineAt: clock.now() + 100_000 });
    expect(session.commands.at(-1)?.timeoutMs).toBe(98_000);
    await run({ deadlineAt: clock.now() + 10_000_000 });
    expect(session.commands.at(-1)?.timeoutMs).toBe(2_400_000);
  });

  it("runs no command after it", async () => {
    const session = scriptedSession();
    const { clock, run } = agentScene(miniSweAgent, session, [bashCalls("sleep 100", "touch late")]);
    const slow = {
      ...session,
      exec: async (ask: Parameters<typeof session.exec>[0]) => {
        if (String(ask.command).includes("sleep")) await clock.advance(99_000);
        return session.exec(ask);
      },
    };
    const result = await run({ deadlineAt: clock.now() + 100_000, session: slow });
    expect(result.telemetry["exit_status"]).toBe("TimeExceeded");
    expect(session.commands.map((ask) => ask.command).join()).not.toContain("late");
  });

  it("gives a command without limits no timer", async () => {
    const session = scriptedSession(() => MARKER);
    await agentScene(miniSweAgent, session, [SUBMIT]).run({ params: { command_timeout: null } });
    expect(session.commands.at(-1)).not.toHaveProperty("timeoutMs");
  });
});

describe("what mini_swe_agent refuses or survives", () => {
  it.each([
    { case: "no model", over: { model: undefined }, says: "needs a model" },
    { case: "media", over: { prepared: preparedTask({ prompt: "p", media: [{}] }) }, says: "media" },
    { case: "an empty task", over: { prepared: preparedTask({ prompt: " " }) }, says: "no text" },
  ])("refuses $case as fatal", async ({ over, says }) => {
    const work = agentScene(miniSweAgent, scriptedSession(), [SUBMIT]).run(over);
    await expect(work).rejects.toMatchObject({ severity: "fatal", message: expect.stringContaining(says) });
  });

  it("refuses a workspace that cannot be made as fatal", async () => {
    const session = scriptedSession((ask) => ({ returncode: ask.command[0] === "mkdir" ? 1 : 0 }));
    const prepared = preparedTask({ prompt: "p", workspace: "/proc/none" });
    const work = agentScene(miniSweAgent, session, [SUBMIT]).run({ prepared });
    await expect(work).rejects.toMatchObject({ severity: "fatal", message: expect.stringContaining("/proc/none") });
  });

  it("warns of a trajectory that cannot be written and of an output file that cannot be read", async () => {
    await using host = await openHost();
    const prepared = preparedTask({ prompt: "p" }, { files: [{ path: "/etc/hostname", description: "" }] });
    const result = await agentScene(miniSweAgent, host.session, [SUBMIT]).run({
      params: { artifact_dir: "/proc" },
      prepared,
    });
    expect(result.issues).toMatchObject([
      { severity: "warning", code: "harness_failed", message: expect.stringContaining("/etc/hostname (") },
      {
        severity: "warning",
        code: "diagnostic_write_failed",
        message: expect.stringContaining("harness.artifact_dir"),
      },
    ]);
    expect(result.telemetry).toMatchObject({ exit_status: "Submitted" });
  });

  it("grades an environment that is gone as fatal", async () => {
    const session = scriptedSession((ask) =>
      String(ask.command).startsWith("uname") ? {} : Promise.reject(new EnvironmentFailure("gone")),
    );
    const result = await agentScene(miniSweAgent, session, [SUBMIT]).run();
    expect(result.issues).toMatchObject([{ severity: "fatal", code: "environment_failed" }]);
  });

  it("survives a reply of 20 MB, and sends it back as it came", async () => {
    const content = "x".repeat(20 * 1024 * 1024);
    const session = scriptedSession((ask) => (String(ask.command).includes("COMPLETE") ? MARKER : {}));
    const { asks, run } = agentScene(miniSweAgent, session, [{ ...bashCalls("true"), content }, SUBMIT]);
    expect((await run()).issues).toEqual([]);
    expect(String(asks[1]?.messages[2]?.content)).toHaveLength(content.length);
  });

  it("runs a thousand calls of one reply, each with an observation of its own", async () => {
    const commands = Array.from({ length: 1000 }, (_, index) => `echo ${index}`);
    const session = scriptedSession((ask) => ({ stdout: String(ask.command).replace(/.*echo /, "") }));
    const { asks, run } = agentScene(miniSweAgent, session, [bashCalls(...commands), {}]);
    await run({ params: { step_limit: 2 } });
    const tools = asks[1]?.messages.filter((message) => message.role === "tool") ?? [];
    expect(tools).toHaveLength(1000);
    expect(JSON.parse(String(tools[999]?.content))).toEqual({ returncode: 0, output: "999" });
    expect(new Set(tools.map((message) => message.tool_call_id)).size).toBe(1000);
  });

  it.each(["command", "more"])(
    "runs nothing of a call with endless levels in its %s, and what it keeps can be written",
    async (name) => {
      const levels = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
      const call = {
        id: "c",
        type: "function",
        function: { name: "bash", arguments: `{"command":"true","${name}":${levels}}` },
      };
      const session = scriptedSession(() => MARKER);
      const deep: Partial<ModelAnswer> = { tool_calls: [{ ...call, type: "function" }] };
      const { run } = agentScene(miniSweAgent, session, [deep, SUBMIT]);
      const result = await run();
      expect(session.commands.filter((ask) => String(ask.command).startsWith("exec"))).toHaveLength(1);
      expect(JSON.stringify(result)).toContain("no JSON (too many levels)");
    },
  );

  it("answers commands that no shell takes, and goes on", async () => {
    await using host = await openHost();
    const odd = bashCalls("", "a\0b", 5, null, "\ud800", "echo ünï", "exit 300", "\n;;");
    const { asks, run } = agentScene(miniSweAgent, host.session, [odd, SUBMIT]);
    expect((await run()).telemetry["exit_status"]).toBe("Submitted");
    const seen = (asks[1]?.messages.slice(3) ?? []).map((message) => JSON.parse(String(message.content)));
    expect(seen.map(({ returncode }) => returncode)).toEqual([0, -1, -1, -1, 127, 0, 44, 2]);
    expect(seen[1].exception_info).toContain("NUL");
    expect(seen[2].exception_info).toContain("no text");
    expect(seen[5].output).toBe("ünï\n");
  });

  it("gives calls without an id one of their own", async () => {
    const call = bashCalls("true").tool_calls?.[0];
    const reply = call
      ? {
          tool_calls: [
            { ...call, id: "" },
            { ...call, id: "" },
          ],
        }
      : {};
    const { asks, run } = agentScene(miniSweAgent, scriptedSession(), [reply, {}]);
    await run({ params: { step_limit: 2 } });
    const [, , assistant, first, second] = asks[1]?.messages ?? [];
    expect(assistant?.tool_calls?.map(({ id }) => id)).toEqual(["call_1_1", "call_1_2"]);
    expect([first?.tool_call_id, second?.tool_call_id]).toEqual(["call_1_1", "call_1_2"]);
  });

  it("keeps a submission whole up to 10 MB and says what a longer one lost", async () => {
    await using host = await openHost();
    const print = (bytes: number) =>
      bashCalls(`echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT; head -c ${bytes} /dev/zero | tr '\\0' x`);
    const large = await agentScene(miniSweAgent, host.session, [print(9_000_000)]).run();
    expect(large.issues).toEqual([]);
    expect(large.final_answer === "x".repeat(9_000_000)).toBe(true);
    const larger = await agentScene(miniSweAgent, host.session, [print(12_000_000)]).run();
    expect(larger.issues).toMatchObject([{ severity: "warning", code: "submission_truncated" }]);
  });
});
