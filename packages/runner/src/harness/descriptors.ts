import type { ComponentDescriptor, Harness } from "@agentcompass/core/plugin";
import { z } from "zod";
import { MiniSweAgentParams } from "./mini-swe-agent-params.ts";
import { OpenAiChatParams } from "./openai-chat-params.ts";
import { sharedHarnessParams } from "./shared-params.ts";
import { Terminus2Params } from "./terminus2-params.ts";

const SharedParams = z.strictObject(sharedHarnessParams);

/** Harnesses that a spec may name; without `load` they come with a later release. */
export const harnessDescriptors: readonly ComponentDescriptor<Harness>[] = [
  {
    kind: "harness",
    id: "openai_chat",
    description: "Asks the model once and takes its text as the answer.",
    params: OpenAiChatParams,
    protocols: ["openai-chat", "openai-responses", "anthropic"],
    load: async () => (await import("./openai-chat.ts")).openAiChat,
  },
  {
    kind: "harness",
    id: "oracle",
    description: "Applies the task's reference solution: the ceiling. The model may be none.",
    params: SharedParams,
    load: async () => (await import("./oracle.ts")).oracle,
  },
  {
    kind: "harness",
    id: "nop",
    description: "Does nothing: the floor. The model may be none.",
    params: SharedParams,
    load: async () => (await import("./nop.ts")).nop,
  },
  {
    kind: "harness",
    id: "terminus2",
    description: "An agent that works in a terminal (tmux), as in Terminal-Bench.",
    params: Terminus2Params,
    load: null,
    protocols: ["openai-chat", "openai-responses"],
  },
  {
    kind: "harness",
    id: "mini_swe_agent",
    description: "mini-swe-agent: a small agent that solves tasks by shell commands in the environment.",
    params: MiniSweAgentParams,
    load: async () => (await import("./mini-swe-agent/index.ts")).miniSweAgent,
    protocols: ["openai-chat", "openai-responses"],
  },
];
