/**
 * What users may write, as zod schemas. Descriptions are the help of the CLI and the reference. Every field is optional
 * here: defaults are applied after the layers are merged (defaults.ts). Names are the file's own.
 */
import { z } from "zod";
import { LOG_LEVELS } from "../port/log.ts";
import { count, factor, seconds, text, truthAsNumber, whole, word } from "./loose.ts";
import { PricesFields } from "./prices.ts";

const orNull = <T extends z.ZodType>(schema: T, description: string) => schema.nullable().describe(description);
const names = z.array(z.string());
const free = z.record(z.string(), z.unknown());

/** More is a mistake: every attempt is listed before the first runs. */
const MOST_ATTEMPTS = 10_000;

export const AttemptsFields = z.strictObject({
  k: whole.min(1).max(MOST_ATTEMPTS).optional().describe("Attempts per task, 1 to 10000. Default 1."),
  strategy: z
    .string()
    .transform((text) => text.trim().toLowerCase())
    .pipe(z.enum(["avg", "pass"]))
    .optional()
    .describe("avg: every attempt runs and their mean counts; pass: attempts stop at the first success. Default avg."),
});

const ArtifactLimitsFields = z.strictObject({
  max_mb: z.number().positive().optional().describe("Megabytes that one attempt may keep. Default 16384."),
  max_files: whole.positive().optional().describe("Files that one attempt may keep. Default 100000."),
  timeout_seconds: seconds.optional().describe("Seconds to fetch them. Default 600."),
});

const absolutePath = z.string().regex(/^\//, "must be an absolute path");

const artifact = z.union([
  absolutePath,
  z.strictObject({
    source: absolutePath.describe("Absolute path in the environment."),
    destination: z.string().optional().describe("Path below the attempt's artifacts. Default as the source."),
    exclude: z.array(z.string()).nullable().optional().describe("Patterns left out."),
    service: z.string().nullable().optional().describe("Service whose files are meant."),
  }),
]);

const collection = z.union([
  z.string().min(1),
  z.strictObject({
    command: z.string().min(1).describe("Shell command."),
    timeout_seconds: seconds.optional().describe("Seconds for the command. Default 60."),
    service: z.string().nullable().optional().describe("Service that runs it. Default main."),
  }),
]);

export const ExecutionFields = z.strictObject({
  attempts: AttemptsFields.optional().describe("How often each task is tried and how the tries are reduced."),
  enabled_recipes: z
    .preprocess(
      (value) =>
        typeof value === "string"
          ? [value]
          : Array.isArray(value)
            ? value.map((item) => String(item ?? "None"))
            : value,
      names,
    )
    .nullable()
    .optional()
    .describe("Ids of the recipes to try; empty is all. Default all."),
  keep_environment: z.boolean().optional().describe("Leave environments open after an attempt. Default false."),
  enable_analysis: z.boolean().optional().describe("Run analyzers on each attempt. Default true."),
  analysis_params: free.nullable().optional().describe("Parameters of the analyzers."),
  max_retries: count
    .optional()
    .describe("Extra executions of an attempt, shared by its stages; below 0 counts as 0. Default 0."),
  retry_pattern_list: orNull(
    names,
    "Regular expressions searched in the code and message of ERROR issues; null retries FATAL ones only. Default null.",
  ).optional(),
  retry_min_delay_seconds: seconds.optional().describe("Seconds, least wait before a retry; it doubles. Default 5."),
  retry_max_delay_seconds: seconds.optional().describe("Seconds, greatest wait before a retry. Default 60."),
  retry_policy: z
    .preprocess(word, z.enum(["compatible", "strict"]))
    .optional()
    .describe(
      "compatible: every FATAL is retried, as AgentCompass does; strict: not what a retry cannot mend (401, 402, 403, 404, a context overflow, an unsupported parameter), and Retry-After is waited for. Default compatible.",
    ),
  fatal_task_limit: count
    .optional()
    .describe(
      "So many tasks that end in the same FATAL code, before any ends otherwise, stop the request; 0 is never. Default 10.",
    ),
  tell_deadline: z
    .boolean()
    .optional()
    .describe("Add the run's time limit to the prompt, in one line. It changes what the model reads. Default false."),
  run_timeout_seconds: orNull(
    seconds,
    "Seconds for the agent's run; null leaves it to task and harness. Default null.",
  ).optional(),
  evaluation_timeout_seconds: orNull(
    seconds,
    "Seconds for the evaluation; null leaves it to the task. Default null.",
  ).optional(),
  run_timer_compensation_seconds: seconds
    .optional()
    .describe("Seconds by which the watchdog of a run outlasts its timeout. Default 120."),
  timeout_multiplier: factor.optional().describe("Factor on run and evaluation timeouts. Default 1."),
  run_timeout_multiplier: orNull(factor, "Factor on the run timeout alone, instead of timeout_multiplier.").optional(),
  evaluation_timeout_multiplier: orNull(
    factor,
    "Factor on the evaluation timeout alone, instead of timeout_multiplier.",
  ).optional(),
  runresult_collect_timeout_seconds: seconds.optional().describe("Seconds to collect a run's result. Default 60."),
  artifact_collect_timeout_seconds: orNull(
    seconds,
    "Seconds to collect artifacts. Comes with a later release.",
  ).optional(),
  artifact_limits: ArtifactLimitsFields.nullable().optional().describe("Limits on what is kept of an attempt's files."),
  save_artifacts: orNull(
    z.boolean(),
    "Download artifacts; null means when the evaluation is fresh. Comes with a later release.",
  ).optional(),
  artifacts: orNull(
    z.array(artifact),
    "Artifacts to keep, instead of the benchmark's. Comes with a later release.",
  ).optional(),
  artifact_collect: orNull(
    z.array(collection),
    "Commands that collect artifacts. Comes with a later release.",
  ).optional(),
});

const level = z
  .string()
  .transform((text) => text.toUpperCase())
  .pipe(z.enum(LOG_LEVELS));

const secondsOrNone = truthAsNumber(
  z.number({ error: "must be a number of seconds, 0 or more" }).finite().nonnegative(),
);

export const RuntimeFields = z.strictObject({
  results_dir: text.optional().describe("Directory of results, relative to the working directory. Default results."),
  data_dir: text.optional().describe("Directory of benchmark data, relative to the working directory. Default data."),
  timeout_seconds: secondsOrNone
    .optional()
    .describe("Seconds for the whole orchestration after its checks; 0 is none. Default 360000."),
  cleanup_grace_seconds: secondsOrNone
    .optional()
    .describe("Seconds that active tasks get to end after a cancellation. Default 30."),
  progress: z
    .preprocess((value) => (value === false ? "auto" : word(value)), z.enum(["auto", "plain", "none"]))
    .optional()
    .describe("How progress is shown on stderr. Default auto: live on a terminal, lines elsewhere."),
  log_level: level
    .optional()
    .describe("Least level of the log on stderr: DEBUG, INFO, WARNING, ERROR, CRITICAL. Default INFO."),
  file_log_level: level.nullable().optional().describe("Least level of the log in files. Default DEBUG."),
  log_file: orNull(
    text,
    "A file that gets the log of every request, beside each run's own run.log. Default none.",
  ).optional(),
  auto_install_dependencies: z
    .boolean()
    .optional()
    .describe(
      "Install missing optional dependencies; every component is built in, so there is nothing to install. Default false.",
    ),
  provider_limits: z
    .record(z.string(), count)
    .optional()
    .describe(
      "Executions at once by environment provider, over all processes of the user; 0 is unlimited. Default 128 each.",
    ),
  env_open_qps: z
    .record(z.string(), truthAsNumber(z.number({ error: "must be a number" }).finite()))
    .optional()
    .describe(
      "Environment opens per second by provider; 0 is no pacing. Default 0 for host_process and docker, else 10.",
    ),
  recipe_dirs: names
    .optional()
    .describe(
      "Folders of recipe files, TypeScript or JavaScript, relative to the working directory. They are trusted code.",
    ),
});

export const RequestRuntimeFields = z.strictObject({
  reuse: z
    .boolean()
    .nullable()
    .optional()
    .describe("Take finished tasks from an earlier run of the same namespace. Default false."),
  reuse_run_id: text.nullable().optional().describe("The run to take them from; empty is the newest. Implies reuse."),
  checkpoint_resume: z
    .boolean()
    .nullable()
    .optional()
    .describe("Continue at the evaluation where an earlier run had got that far. Default true."),
});

export const OutputFields = z.strictObject({
  run_name: text.nullable().optional().describe("Levels of directories above the request's own. Default none."),
  run_id: text
    .nullable()
    .optional()
    .describe("Name of the run's directory; it must not exist. Default the local time."),
});

export const PROTOCOLS = ["openai-chat", "openai-responses", "anthropic"] as const;

export const ModelFields = z.strictObject({
  id: text.nullable().optional().describe("Model id as the endpoint knows it, or none for a harness that calls none."),
  base_url: text.nullable().optional().describe("Address of the endpoint; empty is the protocol's own."),
  api_key: text
    .nullable()
    .optional()
    .describe("Key of the endpoint, or a whole ${NAME} reference to an environment variable."),
  api_protocol: z
    .union([z.string(), z.array(z.string())])
    .nullable()
    .optional()
    .describe("openai-chat, openai-responses, anthropic, a list of them, or auto (the harness's default)."),
  params: free.optional().describe("Sampling and provider parameters, sent as they are."),
  wrap_api_key: z
    .boolean()
    .optional()
    .describe("Send the key wrapped with the run's directory, for gateways that tell sessions apart. Default false."),
});

/** Sections of an orchestration's defaults and of each of its requests. */
export const SECTION_NAMES = [
  "benchmark",
  "harness",
  "environment",
  "model",
  "execution",
  "runtime",
  "output",
] as const;

const component = (kind: string) =>
  z
    .looseObject({ id: z.string().optional().describe(`Id of the ${kind}.`) })
    .nullable()
    .optional()
    .describe(`${kind} id and its parameters, flat.`);

const sections = {
  benchmark: component("benchmark"),
  harness: component("harness"),
  environment: component("environment"),
  model: ModelFields.nullable().optional().describe("The model under evaluation."),
  execution: ExecutionFields.nullable().optional().describe("Attempts, retries and timeouts."),
  runtime: RequestRuntimeFields.nullable().optional().describe("Reuse of earlier results."),
  output: OutputFields.nullable().optional().describe("Where results go."),
};

export const DefaultsFields = z.strictObject(sections);
export const RequestFields = z.strictObject({
  name: text.describe("Unique name of the request; also its directory."),
  ...sections,
});

/** The whole orchestration file. */
export const OrchestrationFile = z.strictObject({
  version: z.literal(1).optional().describe("Version of the format: 1."),
  name: text.nullable().optional().describe("Name to show."),
  components: z
    .array(text)
    .nullable()
    .optional()
    .describe(
      "Files of components of your own, TypeScript or JavaScript, relative to this file. They are trusted code.",
    ),
  task_concurrency: whole.min(1).optional().describe("Tasks at once over all requests. Default 32."),
  runtime: RuntimeFields.nullable().optional().describe("Directories, deadline, progress, logs and limits."),
  prices: PricesFields.nullable()
    .optional()
    .describe("What models cost, by their id, each over the configuration's; AgentCompass does not know this field."),
  defaults: DefaultsFields.nullable().optional().describe("What every request inherits."),
  requests: z.array(RequestFields).min(1).describe("What to run, in order."),
});

export { EnvironmentFields, PolicyFields, ResourceFields, SetupFields } from "./environment-fields.ts";
