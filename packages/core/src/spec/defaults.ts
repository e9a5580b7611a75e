import type { ExecutionSpec, RuntimeOptions } from "./resolved.ts";

const PROVIDERS = [
  "host_process",
  "docker",
  "brainpp",
  "pcluster",
  "dbox",
  "dsandbox",
  "hbox",
  "hsandbox",
  "opensandbox",
  "daytona",
  "modal",
] as const;

/** Executions at once by provider (reference 2.5). A provider that is not listed is unlimited. */
export const PROVIDER_LIMITS: Readonly<Record<string, number>> = Object.fromEntries(PROVIDERS.map((id) => [id, 128]));

/** Environment opens per second by provider; 0 is no pacing. */
export const ENV_OPEN_QPS: Readonly<Record<string, number>> = Object.fromEntries(
  PROVIDERS.map((id) => [id, id === "host_process" || id === "docker" ? 0 : 10]),
);

export const RUNTIME_DEFAULTS: RuntimeOptions = {
  results_dir: "results",
  data_dir: "data",
  timeout_seconds: 360_000,
  cleanup_grace_seconds: 30,
  progress: "auto",
  log_level: "INFO",
  file_log_level: "DEBUG",
  log_file: null,
  auto_install_dependencies: false,
  provider_limits: PROVIDER_LIMITS,
  env_open_qps: ENV_OPEN_QPS,
  recipe_dirs: [],
};

const JUDGE = {
  model: "gpt-4o",
  api_key: "${OPENAI_API_KEY}",
  base_url: "${OPENAI_BASE_URL}",
  api_protocol: "openai-chat",
};

/** Parameters of the three analyzers that need a model (reference 2.6). */
export const ANALYSIS_DEFAULTS: Readonly<Record<string, unknown>> = {
  task_concurrency: 1,
  analyzers: null,
  exclude_analyzers: ["QualitativeAnalyzer", "MultiQualitativeAnalyzer", "HackDetectionAnalyzer"],
  QualitativeAnalyzer: { ...JUDGE, chunk_size: 15, render_mode: "file", render_out_dir: "" },
  MultiQualitativeAnalyzer: { ...JUDGE, chunk_size: 15, reference_dir: "" },
  HackDetectionAnalyzer: JUDGE,
};

/** Tasks at once where nothing says otherwise. */
export const DEFAULT_CONCURRENCY = 32;

export const EXECUTION_DEFAULTS: Omit<ExecutionSpec, "task_concurrency"> = {
  attempts: { k: 1, strategy: "avg" },
  enabled_recipes: [],
  keep_environment: false,
  enable_analysis: true,
  analysis_params: ANALYSIS_DEFAULTS,
  max_retries: 0,
  retry_pattern_list: null,
  retry_min_delay_seconds: 5,
  retry_max_delay_seconds: 60,
  retry_policy: "compatible",
  fatal_task_limit: 10,
  tell_deadline: false,
  run_timeout_seconds: null,
  evaluation_timeout_seconds: null,
  run_timer_compensation_seconds: 120,
  timeout_multiplier: 1,
  run_timeout_multiplier: null,
  evaluation_timeout_multiplier: null,
  runresult_collect_timeout_seconds: 60,
  artifact_collect_timeout_seconds: null,
  artifact_limits: { max_mb: 16_384, max_files: 100_000, timeout_seconds: 600 },
  save_artifacts: null,
  artifacts: null,
  artifact_collect: null,
};
