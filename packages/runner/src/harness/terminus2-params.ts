import { z } from "zod";
import { sharedHarnessParams } from "./shared-params.ts";

const TrajectoryConfig = z.strictObject({
  raw_content: z.boolean().default(false).describe("Keep the model's replies as they came."),
  linear_history: z.boolean().default(false).describe("Split the trajectory where a summary replaces the history."),
});

export const Terminus2Params = z.strictObject({
  ...sharedHarnessParams,
  parser_name: z
    .enum(["json", "xml", "tool_call"])
    .default("json")
    .describe("Form in which the model states its commands."),
  max_turns: z
    .number()
    .int()
    .positive()
    .default(300)
    .describe("Turns before the run ends with harness_max_iterations."),
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
  trajectory_config: TrajectoryConfig.optional().describe("How the trajectory is written."),
  store_all_messages: z.boolean().default(false).describe("Keep every message of the conversation in the artifacts."),
  interleaved_thinking: z.boolean().default(false).describe("Send earlier reasoning back to the model."),
  skills_dir: z.string().optional().describe("Directory of skills in the environment."),
  mcp_servers: z.array(z.record(z.string(), z.unknown())).optional().describe("MCP servers named to the agent."),
  session_id: z.string().optional().describe("Session name sent with model calls."),
  record_terminal_session: z.boolean().default(false).describe("Record the terminal as an asciinema file."),
  endpoint: z.string().optional().describe("Not used by AgentCompass; accepted so that its files stay valid."),
  service_url: z.string().optional().describe("Not used by AgentCompass; accepted so that its files stay valid."),
  url: z.string().optional().describe("Not used by AgentCompass; accepted so that its files stay valid."),
  headers: z.record(z.string(), z.string()).optional().describe("Not used by AgentCompass; accepted as above."),
  service_headers: z.record(z.string(), z.string()).optional().describe("Not used by AgentCompass; accepted as above."),
  service_protocol: z.enum(["wait", "poll"]).optional().describe("Not used by AgentCompass; accepted as above."),
  modality: z.enum(["llm", "vlm"]).optional().describe("Not used by AgentCompass; accepted as above."),
  service_env_params: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("Not used by AgentCompass; accepted as above."),
});
