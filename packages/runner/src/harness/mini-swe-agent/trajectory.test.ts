import type { RunAsk } from "@agentcompass/core/plugin";
import { describe, expect, it } from "vitest";
import { agentScene, bashCalls, preparedTask, scriptedSession } from "../../../testing/agent-scene.ts";
import { MiniSweAgentParams } from "../mini-swe-agent-params.ts";
import { miniSweAgent } from "./index.ts";

const answers = (stdout: string) => scriptedSession((ask) => (String(ask.command).includes("last") ? { stdout } : {}));

async function runThrough(params: RunAsk["params"] = {}) {
  const submits = answers("COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT\n42\n");
  const script = [
    { ...bashCalls("first"), content: "I look.", reasoning_content: "hm" },
    { content: "No call." },
    bashCalls("second", "last"),
  ];
  const scene = agentScene(miniSweAgent, submits, script);
  return { ...scene, result: await scene.run({ params }) };
}

describe("the trajectory of mini_swe_agent", () => {
  it("stands in result.json with one step a reply", async () => {
    const { result } = await runThrough();
    const steps = result.trajectory?.steps ?? [];
    expect(steps.map(({ step_id, observation }) => [step_id, observation.length])).toEqual([
      [1, 1],
      [2, 0],
      [3, 2],
    ]);
    expect(steps[0]).toMatchObject({
      user_content: expect.stringContaining("Say hello."),
      assistant_content: {
        content: "I look.",
        reasoning_content: "hm",
        tool_calls: [{ id: "c1", function: { name: "bash", arguments: { command: "first" } } }],
      },
      metric: { prompt_tokens_len: 10, completion_tokens_len: 5, llm_infer_ms: 91.62, stop_reason: "tool_calls" },
      started_at: "2026-01-01 00:00:00.000000",
    });
    expect(steps[1]).toMatchObject({ user_content: "", assistant_content: { content: "No call.", tool_calls: [] } });
    expect(steps[2]?.user_content).toContain("no tool call");
  });

  it("is kept in mini-swe-agent's own format as well", async () => {
    const { result } = await runThrough();
    const raw = result.artifacts["mini_swe_agent_raw_trajectory"];
    expect(raw).toMatchObject({
      trajectory_format: "mini-swe-agent-1.1",
      info: {
        mini_version: "2.4.5",
        exit_status: "Submitted",
        submission: "42\n",
        model_stats: { api_calls: 3, instance_cost: 0 },
      },
      messages: [
        { role: "system" },
        { role: "user" },
        {
          role: "assistant",
          content: "I look.",
          reasoning_content: "hm",
          extra: {
            actions: [{ command: "first", tool_call_id: "c1" }],
            cost: 0,
            timestamp: 1_767_225_600,
            response: { choices: [{ finish_reason: "tool_calls" }], usage: { prompt_tokens: 10, total_tokens: 15 } },
          },
        },
        { role: "tool", tool_call_id: "c1", extra: { raw_output: "", returncode: 0, exception_info: "" } },
        { role: "user", extra: { interrupt_type: "FormatError", response: { model: "scripted" } } },
        { role: "assistant" },
        { role: "exit", content: "42\n", extra: { exit_status: "Submitted", submission: "42\n" } },
      ],
    });
  });

  it("sends reasoning back only when thinking is interleaved", async () => {
    const plain = await runThrough();
    expect(plain.asks[1]?.messages[2]).not.toHaveProperty("reasoning_content");
    const interleaved = await runThrough({ interleaved_thinking: true });
    expect(interleaved.asks[1]?.messages[2]).toMatchObject({ reasoning_content: "hm" });
  });

  it("shows a task that is a conversation with the role of each message", async () => {
    const messages = [
      { role: "user", content: "2+2?" },
      { role: "assistant", content: "4" },
      { role: "user", content: "3+3?" },
    ];
    const { asks, run } = agentScene(miniSweAgent, answers(""), [bashCalls("true")]);
    const prepared = preparedTask({ messages, system_prompt: "Be brief." });
    await run({ prepared, params: { step_limit: 1 } });
    const task = String(asks[0]?.messages[1]?.content);
    expect(task).toContain("system:\nBe brief.\n\nuser:\n2+2?\n\nassistant:\n4\n\nuser:\n3+3?");
  });
});

describe("the parameters of mini_swe_agent", () => {
  it.each([
    { params: { version: "2.4.4" }, says: "must be 2.4.5" },
    { params: { launch_mode: "remote" }, says: "remote comes with a later release" },
    { params: { cost_tracking: "guess" }, says: "default" },
    { params: { step_limit: -1 }, says: ">=0" },
  ])("refuse $params by name", ({ params, says }) => {
    const { error } = MiniSweAgentParams.safeParse(params);
    expect(error?.issues[0]?.path).toEqual(Object.keys(params));
    expect(error?.issues[0]?.message).toContain(says);
  });

  it("take the program's own and the network notice without effect", async () => {
    const params = { binary: "other", install_strategy: "preinstalled", install_command: "false" };
    const plain = await runThrough();
    const given = await runThrough({ ...params, inject_network_restriction_notice: false });
    expect(given.asks).toEqual(plain.asks.map((ask) => ({ ...ask, signal: expect.any(AbortSignal) })));
    expect(given.result).toEqual(plain.result);
  });

  it("leave parallel_tool_calls to a model that has its own", async () => {
    const { asks, run } = agentScene(miniSweAgent, answers(""), [bashCalls("true")]);
    const modelSpec = { id: "m", base_url: "", api_key: "", api_protocol: "auto", wrap_api_key: false };
    await run({ params: { step_limit: 1 }, modelSpec: { ...modelSpec, params: { parallel_tool_calls: null } } });
    expect(asks[0]?.params).toEqual({});
  });
});
