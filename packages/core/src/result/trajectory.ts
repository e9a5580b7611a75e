/** What an agent did, step by step: the ACTF_v1.0 form that AgentCompass writes and its viewer reads. */
export type Trajectory = {
  readonly schema_version: "ACTF_v1.0";
  readonly steps: readonly TrajectoryStep[];
  /** Local time without zone, microseconds, a space between date and time. */
  readonly started_at: string;
  readonly finished_at: string;
};

export type TrajectoryStep = {
  readonly step_id: number;
  readonly system_prompt: string;
  readonly user_content: string;
  readonly tools: readonly unknown[];
  readonly assistant_content: {
    readonly content: string;
    readonly reasoning_content: string;
    readonly tool_calls: readonly unknown[];
  };
  readonly observation: readonly unknown[];
  readonly metric: {
    readonly prompt_tokens_len: number | null;
    readonly completion_tokens_len: number | null;
    readonly llm_infer_ms: number | null;
    readonly env_action_ms: number | null;
    readonly stop_reason: string | null;
  };
  readonly started_at: string;
  readonly finished_at: string;
};
