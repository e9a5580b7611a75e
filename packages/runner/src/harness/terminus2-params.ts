import { z } from "zod";
import { sharedHarnessParams } from "./shared-params.ts";

const TrajectoryConfig = z.strictObject({
  raw_content: z.boolean().describe("Keep the model's replies as they came."),
  linear_history: z.boolean().describe("Split the trajectory where a summary replaces the history."),
});

export const Terminus2Params = z.strictObject({
  ...sharedHarnessParams,
  parser_name: z
    .enum(["json", "xml", "tool_call"])
    .nullable()
    .default("json")
    .describe("Form in which the model states its commands; null is json."),
  max_turns: z
    .number()
    .int()
    .positive()
    .nullable()
    .default(300)
    .describe("Turns before the run ends with harness_max_iterations; null is no limit."),
  agent_setup_timeout_sec: z.number().positive().default(1800).describe("Seconds for installing and starting tmux."),
  request_timeout: z.number().positive().default(3600).describe("Seconds for one model call."),
  enable_summarize: z.boolean().default(true).describe("Summarize the history when the context is full."),
  fallback_context_limit: z
    .number()
    .int()
    .positive()
    .default(256_000)
    .describe("Context length in tokens of a model whose own is not known."),
  proactive_summarization_threshold: z
    .number()
    .int()
    .min(0)
    .default(8000)
    .describe("Free tokens below which the history is summarized before the context is full."),
  tmux_pane_width: z.number().int().positive().default(160).describe("Terminal width in columns."),
  tmux_pane_height: z.number().int().positive().default(40).describe("Terminal height in lines."),
  trajectory_config: TrajectoryConfig.partial().default({}).describe("How the trajectory is written."),
  store_all_messages: z.boolean().default(false).describe("Keep every message of the conversation in the artifacts."),
  interleaved_thinking: z.boolean().default(false).describe("Send earlier reasoning back to the model."),
  skills_dir: z
    .union([z.string(), z.literal(false)])
    .default(false)
    .describe("Directory of skills in the environment; false is none."),
  mcp_servers: z.array(z.record(z.string(), z.unknown())).default([]).describe("MCP servers named to the agent."),
  session_id: z.string().nullable().default(null).describe("Session name sent with model calls."),
  record_terminal_session: z.boolean().default(false).describe("Record the terminal as an asciinema file."),
  endpoint: z.string().default("").describe("Not used by AgentCompass; accepted so that its files stay valid."),
  service_url: z.string().default("").describe("Not used by AgentCompass; accepted so that its files stay valid."),
  url: z.string().default("").describe("Not used by AgentCompass; accepted so that its files stay valid."),
  headers: z.record(z.string(), z.string()).default({}).describe("Not used by AgentCompass; accepted as above."),
  service_headers: z
    .record(z.string(), z.string())
    .default({})
    .describe("Not used by AgentCompass; accepted as above."),
  service_protocol: z.enum(["wait", "poll"]).default("wait").describe("Not used by AgentCompass; accepted as above."),
  modality: z.enum(["llm", "vlm"]).default("llm").describe("Not used by AgentCompass; accepted as above."),
  service_env_params: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("Not used by AgentCompass; accepted as above."),
});
