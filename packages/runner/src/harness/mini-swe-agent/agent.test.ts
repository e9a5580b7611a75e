import type { ChatMessage, ModelAnswer, ModelAsk } from "@agentcompass/core/plugin";
import { describe, expect, it } from "vitest";
import { agentScene, bashCalls, preparedTask, scriptedSession } from "../../../testing/agent-scene.ts";
import { openHost } from "../../../testing/host-session.ts";
import { miniSweAgent } from "./index.ts";

const SUBMIT = bashCalls("echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT; echo done");
const NO_CALL = { content: "I would rather talk." };

const roles = (ask: ModelAsk | undefined) => ask?.messages.map((message) => message.role);
const observed = (message: ChatMessage | undefined) => JSON.parse(String(message?.content));
const lastMessage = (ask: ModelAsk | undefined) => ask?.messages.at(-1);

describe("mini_swe_agent on a real session", () => {
  it("runs the commands of each reply in order and hands in what the last one prints", async () => {
    await using host = await openHost();
    const { asks, run } = agentScene(miniSweAgent, host.session, [
      bashCalls("echo one > a.txt", "cat a.txt; echo two >&2; echo three"),
      SUBMIT,
    ]);
    const result = await run();
    expect(result).toMatchObject({ final_answer: "done\n", issues: [] });
    expect(roles(asks[0])).toEqual(["system", "user"]);
    expect(roles(asks[1])).toEqual(["system", "user", "assistant", "tool", "tool"]);
    expect(asks[1]?.messages.slice(3).map((message) => message.tool_call_id)).toEqual(["c1", "c2"]);
    expect(observed(lastMessage(asks[1]))).toEqual({ returncode: 0, output: "one\ntwo\nthree\n" });
  });

  it("sends its one tool with every request and asks for parallel calls", async () => {
    await using host = await openHost();
    const { asks, run } = agentScene(miniSweAgent, host.session, [bashCalls("true"), SUBMIT]);
    await run();
    for (const { tools, params } of asks) {
      expect(tools).toMatchObject([{ type: "function", function: { name: "bash" } }]);
      expect(params).toEqual({ parallel_tool_calls: true });
    }
  });

  it("tells status and output of a command that fails", async () => {
    await using host = await openHost();
    const { asks, run } = agentScene(miniSweAgent, host.session, [bashCalls("echo no; exit 3"), SUBMIT]);
    await run();
    expect(observed(lastMessage(asks[1]))).toEqual({ returncode: 3, output: "no\n" });
  });

  it("goes on after a submission whose command fails", async () => {
    await using host = await openHost();
    const failing = bashCalls("echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT; false");
    const { asks, run } = agentScene(miniSweAgent, host.session, [failing, SUBMIT]);
    expect((await run()).final_answer).toBe("done\n");
    expect(asks).toHaveLength(2);
  });

  it("runs nothing that comes after the submitting command", async () => {
    await using host = await openHost();
    const reply = bashCalls("echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT", "touch late.txt");
    expect((await agentScene(miniSweAgent, host.session, [reply]).run()).final_answer).toBe("");
    expect(await host.session.readText("late.txt")).toBeUndefined();
  });

  it("stops a command at its time limit, with all that it started, and tells what it printed until then", async () => {
    await using host = await openHost();
    const { asks, run } = agentScene(miniSweAgent, host.session, [
      bashCalls("echo begun; sleep 60 & sleep 60"),
      SUBMIT,
    ]);
    await run({ params: { command_timeout: 0.3 } });
    expect(observed(lastMessage(asks[1]))).toEqual({
      returncode: -1,
      output: "begun\n",
      exception_info: "The command was stopped after 0.3 seconds.",
    });
  });

  it("runs every command in a new shell without pagers, in the task's workspace", async () => {
    await using host = await openHost();
    const { asks, run } = agentScene(miniSweAgent, host.session, [
      bashCalls("cd /; X=1", 'pwd; echo "$X$PAGER$TQDM_DISABLE"'),
      SUBMIT,
    ]);
    await run({ prepared: preparedTask({ prompt: "p", workspace: "deep/er" }) });
    expect(observed(lastMessage(asks[1]))).toMatchObject({ output: `${host.session.workdir}/deep/er\ncat1\n` });
  });

  it("reads the files back that the task asks for; one that is missing is a warning", async () => {
    await using host = await openHost();
    const files = [
      { path: "out/report.md", description: "the report" },
      { path: "none.txt", description: "" },
    ];
    const { asks, run } = agentScene(miniSweAgent, host.session, [
      bashCalls("mkdir out; echo text > out/report.md"),
      SUBMIT,
    ]);
    const result = await run({ prepared: preparedTask({ prompt: "Write." }, { answer: "a number", files }) });
    expect(result.final_answer).toBe("text\n");
    expect(result.artifacts["file"]).toEqual({ "out/report.md": "text\n" });
    expect(result.issues).toEqual([
      expect.objectContaining({
        severity: "warning",
        code: "harness_failed",
        message: expect.stringContaining("none.txt"),
      }),
    ]);
    const task = String(asks[0]?.messages[1]?.content);
    for (const told of ["Write.", "Expected answer: a number", "- out/report.md: the report", "- none.txt"]) {
      expect(task).toContain(told);
    }
  });

  it("keeps its trajectory as a file where artifact_dir says", async () => {
    await using host = await openHost();
    const result = await agentScene(miniSweAgent, host.session, [SUBMIT]).run({ params: { artifact_dir: "kept" } });
    const path = String(result.telemetry["trajectory_path"]);
    expect(path).toContain(`${host.session.workdir}/kept/mini_swe_agent_t_`);
    expect(JSON.parse((await host.session.readText(path)) ?? "")).toEqual(
      result.artifacts["mini_swe_agent_raw_trajectory"],
    );
  });
});

describe("the limits of mini_swe_agent", () => {
  it.each([1, 3])("end it with harness_max_iterations after %i calls", async (limit) => {
    const { asks, run } = agentScene(miniSweAgent, scriptedSession(), [bashCalls("true")]);
    const result = await run({ params: { step_limit: limit } });
    expect(asks).toHaveLength(limit);
    expect(result.issues).toMatchObject([{ severity: "error", phase: "run", code: "harness_max_iterations" }]);
    expect(result.trajectory?.steps).toHaveLength(limit);
  });

  it("end it with harness_limit_reached when the calls cost what is allowed", async () => {
    const usage = { prompt_tokens: 1, completion_tokens: 1, cache_tokens: 0, reasoning_tokens: null } as const;
    const dear = { ...bashCalls("true"), usage: { ...usage, cost_usd: 0.5, cost_source: "endpoint" } } as const;
    const { asks, run } = agentScene(miniSweAgent, scriptedSession(), [dear]);
    const result = await run({ params: { cost_limit: 1 } });
    expect(asks).toHaveLength(2);
    expect(result.issues).toMatchObject([{ severity: "error", code: "harness_limit_reached" }]);
    expect(result.telemetry).toMatchObject({ exit_status: "LimitsExceeded", instance_cost: 1, api_calls: 2 });
  });

  it("of 0 are none", async () => {
    const many = Array.from({ length: 300 }, () => bashCalls("true"));
    const session = scriptedSession((ask) =>
      String(ask.command).includes("COMPLETE") ? { stdout: "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT\n" } : {},
    );
    const { asks, run } = agentScene(miniSweAgent, session, [...many, SUBMIT]);
    expect((await run({ params: { step_limit: 0, cost_limit: 0 } })).issues).toEqual([]);
    expect(asks).toHaveLength(301);
  });

  it("fail a task as fatal whose costs have to be known and are not", async () => {
    const result = await agentScene(miniSweAgent, scriptedSession(), [SUBMIT]).run({
      params: { cost_tracking: "default" },
    });
    expect(result.issues).toMatchObject([{ severity: "fatal", code: "harness_failed" }]);
    expect(result.issues[0]?.message).toContain("cost_tracking");
  });
});

describe("a reply that mini_swe_agent cannot use", () => {
  const named = (name: string, text: string): Partial<ModelAnswer> => ({
    tool_calls: [{ id: "x", type: "function", function: { name, arguments: text } }],
    stop_reason: "tool_calls",
  });

  it.each([
    { case: "no call", reply: NO_CALL, says: /no tool call/ },
    { case: "arguments that are no JSON", reply: named("bash", "{'command'"), says: /no JSON/ },
    { case: "an unknown tool", reply: named("python", '{"command":"1"}'), says: /no tool "python"/ },
    { case: "no command", reply: named("bash", '{"cmd":"ls"}'), says: /no argument "command"/ },
    { case: "arguments that are no object", reply: named("bash", "[]"), says: /no argument "command"/ },
    { case: "an end at the token limit", reply: { ...NO_CALL, stop_reason: "length" }, says: /cut off/ },
  ])("with $case: says what is wrong instead of the reply, and runs nothing", async ({ reply, says }) => {
    const session = scriptedSession();
    const { asks, run } = agentScene(miniSweAgent, session, [reply, bashCalls("true")]);
    await run({ params: { step_limit: 2 } });
    expect(roles(asks[1])).toEqual(["system", "user", "user"]);
    expect(lastMessage(asks[1])?.content).toMatch(says);
    expect(session.commands.filter((ask) => String(ask.command).includes("exec"))).toHaveLength(1);
  });

  it("runs none of several calls when one of them is wrong", async () => {
    const session = scriptedSession();
    const good = bashCalls("touch a").tool_calls ?? [];
    const bad = named("bash", "{").tool_calls ?? [];
    await agentScene(miniSweAgent, session, [{ tool_calls: [...good, ...bad] }]).run({ params: { step_limit: 1 } });
    expect(session.commands.map((ask) => ask.command)).toEqual(["uname -srvm"]);
  });

  it("ends it the third time in a row, as a warning", async () => {
    const { asks, run } = agentScene(miniSweAgent, scriptedSession(), [NO_CALL, NO_CALL, bashCalls("true"), NO_CALL]);
    const result = await run();
    expect(asks).toHaveLength(6);
    expect(result.telemetry["exit_status"]).toBe("RepeatedFormatError");
    expect(result.issues).toMatchObject([{ severity: "warning", code: "harness_format_error" }]);
  });
});
