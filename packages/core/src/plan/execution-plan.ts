import type { ArtifactLimits, EnvironmentSetup, NetworkPolicy, Resources } from "../spec/resolved.ts";

/** What one attempt will do, decided before anything is opened; kept in run_info.json by task and attempt. */
export type ExecutionPlan = {
  readonly environment: {
    readonly id: string;
    readonly baseline_network_policy: NetworkPolicy;
    readonly resources: Resources;
    readonly setup: EnvironmentSetup;
  };
  readonly evaluation_environment: null;
  readonly evaluation_environment_mode: "none" | "reuse" | "fresh";
  readonly run_network_policy: NetworkPolicy;
  readonly evaluation_network_policy: NetworkPolicy;
  readonly applied_recipes: readonly string[];
  /** Of every command, set by recipes alone; the spec's and the task's own win. */
  readonly env_variables?: Readonly<Record<string, string>>;
  /** After the multiplier; null is no timeout. */
  readonly run_timeout_seconds: number | null;
  readonly evaluation_timeout_seconds: number | null;
  readonly artifact_limits: ArtifactLimits;
  readonly artifact_collection_supported: boolean;
  readonly collect_artifacts: boolean;
  readonly save_artifacts: boolean;
  readonly runresult_collect_timeout_seconds: number;
  readonly run_timer_compensation_seconds: number;
  readonly artifact_collect_timeout_seconds: number | null;
};
