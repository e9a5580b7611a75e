/**
 * What the engine runs: every default applied, every reference replaced, every id known. Field names are the
 * file's own (snake_case), so that a dry run, run_info.json and this are one shape.
 */
import type { AttemptPlan } from "../result/metric-contract.ts";
import type { Prices } from "./prices.ts";

export type Params = Readonly<Record<string, unknown>>;

export type NetworkPolicy = {
  readonly network_mode: "public" | "no-network" | "allowlist" | "denylist";
  readonly allowed_hosts: readonly string[];
  readonly denied_hosts: readonly string[];
};

export type EnvironmentSetup = {
  readonly image?: string;
  readonly build_timeout_seconds?: number;
  readonly workdir?: string;
  readonly os?: string;
};

export type Resources = {
  readonly cpu?: number;
  readonly memory_mb?: number;
  readonly storage_mb?: number;
  readonly gpu?: number;
  readonly gpu_type?: string;
  readonly ignore_gpu_type?: boolean;
};

export type Component = { readonly id: string; readonly params: Params };

/** The environment of a request: fields shared by every provider, and the provider's own in `params`. */
export type ResolvedEnvironment = Component & {
  readonly resources: Resources;
  readonly run_resources: Resources;
  readonly evaluation_resources: Resources;
  readonly baseline_network_policy: NetworkPolicy | null;
  readonly evaluation_baseline_network_policy: NetworkPolicy | null;
  readonly run_network_policy: NetworkPolicy | null;
  readonly evaluation_network_policy: NetworkPolicy | null;
  readonly evaluation_environment_mode: "none" | "reuse" | "fresh" | null;
  readonly env_variables: Readonly<Record<string, string>>;
  readonly run_env_variables: Readonly<Record<string, string>>;
  readonly evaluation_env_variables: Readonly<Record<string, string>>;
  readonly evaluation_environment_env_variables: Readonly<Record<string, string>>;
  readonly require_startup_env: boolean;
  readonly setup: EnvironmentSetup;
  readonly evaluation_setup: EnvironmentSetup;
};

export type ModelSpec = {
  readonly id: string;
  readonly base_url: string;
  readonly api_key: string;
  readonly api_protocol: string | readonly string[];
  readonly params: Params;
  readonly wrap_api_key: boolean;
};

export type ArtifactLimits = {
  readonly max_mb: number;
  readonly max_files: number;
  readonly timeout_seconds: number;
};

export type ExecutionSpec = {
  readonly task_concurrency: number;
  readonly attempts: AttemptPlan;
  readonly enabled_recipes: readonly string[];
  readonly keep_environment: boolean;
  readonly enable_analysis: boolean;
  readonly analysis_params: Params;
  readonly max_retries: number;
  readonly retry_pattern_list: readonly string[] | null;
  readonly retry_min_delay_seconds: number;
  readonly retry_max_delay_seconds: number;
  /** `strict` does not retry what no retry can mend, and waits as long as the endpoint asks. */
  readonly retry_policy: "compatible" | "strict";
  /** Tasks ending in one FATAL code, with none ending otherwise before, that stop the request; 0 is never. */
  readonly fatal_task_limit: number;
  /** Adds the time limit of the run to the prompt. */
  readonly tell_deadline: boolean;
  readonly run_timeout_seconds: number | null;
  readonly evaluation_timeout_seconds: number | null;
  readonly run_timer_compensation_seconds: number;
  readonly timeout_multiplier: number;
  readonly run_timeout_multiplier: number | null;
  readonly evaluation_timeout_multiplier: number | null;
  readonly runresult_collect_timeout_seconds: number;
  readonly artifact_collect_timeout_seconds: number | null;
  readonly artifact_limits: ArtifactLimits;
  readonly save_artifacts: boolean | null;
  readonly artifacts: readonly unknown[] | null;
  readonly artifact_collect: readonly unknown[] | null;
};

export type RequestRuntime = {
  readonly reuse: boolean;
  readonly reuse_run_id: string;
  readonly checkpoint_resume: boolean;
};

export type RequestOutput = { readonly run_name: string; readonly run_id: string };

export type ResolvedRequest = {
  /** `<orchestration_id>/<index>`. */
  readonly key: string;
  readonly index: number;
  readonly name: string;
  readonly benchmark: Component;
  readonly harness: Component;
  readonly environment: ResolvedEnvironment;
  readonly model: ModelSpec;
  readonly execution: ExecutionSpec;
  readonly runtime: RequestRuntime;
  readonly output: RequestOutput;
  readonly metadata: Params;
};

export type RuntimeOptions = {
  readonly results_dir: string;
  readonly data_dir: string;
  /** Whole orchestration after preflight; 0 is none. */
  readonly timeout_seconds: number;
  readonly cleanup_grace_seconds: number;
  readonly progress: "auto" | "plain" | "none";
  readonly log_level: string;
  readonly file_log_level: string;
  readonly log_file: string | null;
  readonly auto_install_dependencies: boolean;
  /** Per environment provider; 0 is unlimited. */
  readonly provider_limits: Readonly<Record<string, number>>;
  /** Environment opens per second by provider; 0 is no pacing. */
  readonly env_open_qps: Readonly<Record<string, number>>;
  readonly recipe_dirs: readonly string[];
};

export type ResolvedOrchestration = {
  readonly orchestration_id: string;
  readonly name: string;
  readonly task_concurrency: number;
  readonly runtime: RuntimeOptions;
  /** Absolute paths of the files whose components it uses; absent when it names none. */
  readonly components?: readonly string[];
  readonly requests: readonly ResolvedRequest[];
  /** What models cost; absent when no price is given. */
  readonly prices?: Prices;
  /** True when a file, the configuration or an option asked for the analysis; absent where it is on by default alone. */
  readonly asks_analysis?: true;
  /** Oddities accepted for compatibility (a duplicate key, an unknown section), one line each. */
  readonly warnings: readonly string[];
};
