import type { ModelContact } from "../attempt/index.ts";
import type { ExecutionPlan } from "../plan/index.ts";
import type { ComponentFile, DataProvenance } from "../plugin/index.ts";
import { dropEmpty, isPlainObject, RUN_INFO_SCHEMA } from "../record/index.ts";
import { EXECUTION_DEFAULTS, type Price, redact } from "../spec/index.ts";
import type { ExecutionSpec, ResolvedRequest } from "../spec/resolved.ts";

/** What run_info.json says of one request; the file is a view of this, written when it changes. */
export type RunInfo = {
  readonly runId: string;
  readonly startedAt: string;
  readonly request: ResolvedRequest;
  readonly version: string;
  readonly data: DataProvenance;
  /** Files of a team's own components that were loaded. */
  readonly componentFiles: readonly ComponentFile[];
  readonly contact: ModelContact;
  /** What a call that its endpoint gave no cost for was priced by. */
  readonly price: Price | undefined;
  /** By task, then attempt. Plans that are equal are one object. */
  readonly plans: Map<string, Map<number, ExecutionPlan>>;
  reusedFrom?: { readonly run_id: string; readonly path: string };
  report?: {
    readonly generatedAt: string;
    readonly k: number;
    readonly strategy: string;
    readonly aggregation: string;
  };
  terminal?: { readonly status: string; readonly finishedAt: string; readonly error: string };
};

/** The document; keys are sorted when it is written. */
export function runInfoDocument(info: RunInfo): object {
  return {
    schema_version: RUN_INFO_SCHEMA,
    run_id: info.runId,
    started_at: info.startedAt,
    request: requestDocument(info.request, info.runId),
    ...(info.reusedFrom && { reused_from: info.reusedFrom }),
    resolved_execution_plans: planDocument(info.plans),
    provenance: provenance(info),
    ...(info.report && {
      metric_artifacts: {
        generated_at: info.report.generatedAt,
        source: "evaluation",
        report: { k: info.report.k, strategy: info.report.strategy, aggregation: info.report.aggregation },
      },
    }),
    ...(info.terminal && {
      status: info.terminal.status,
      finished_at: info.terminal.finishedAt,
      ...(info.terminal.error && { error: info.terminal.error }),
    }),
  };
}

function requestDocument(request: ResolvedRequest, runId: string): object {
  const { key: _key, index: _index, name: _name, ...rest } = request;
  const { reuse_run_id, ...runtime } = rest.runtime;
  const redacted = redact({
    ...rest,
    execution: withoutOwnDefaults(rest.execution),
    runtime: reuse_run_id === "" ? runtime : rest.runtime,
    output: { run_id: runId, run_name: rest.output.run_name },
  });
  const document = dropEmpty(redacted);
  return isPlainObject(document) ? document : {};
}

const OWN_OPTIONS = ["retry_policy", "fatal_task_limit", "tell_deadline"] as const;

/** Options that AgentCompass has not are written where they say something. */
function withoutOwnDefaults(execution: ExecutionSpec): Partial<ExecutionSpec> {
  const silent = new Set<string>(OWN_OPTIONS.filter((name) => execution[name] === EXECUTION_DEFAULTS[name]));
  return Object.fromEntries(Object.entries(execution).filter(([name]) => !silent.has(name)));
}

function planDocument(plans: RunInfo["plans"]): object {
  return Object.fromEntries(
    [...plans].map(([taskId, attempts]) => [taskId, { attempts: Object.fromEntries(attempts) }]),
  );
}

function provenance(info: RunInfo): object {
  return {
    agentcompass_ts: info.version,
    data: info.data,
    ...(info.componentFiles.length > 0 && { components: info.componentFiles.map(componentDocument) }),
    model: {
      returned_ids: [...info.contact.returnedModels].sort(),
      calls: info.contact.calls,
      reached: info.contact.reached,
      ...(info.price && { price: info.price }),
    },
  };
}

function componentDocument({ path, checksum, components }: ComponentFile): object {
  return { path, checksum, components: components.map(({ kind, id }) => ({ kind, id })) };
}

/** params.json (reference 5.3). */
export function paramsDocument(request: ResolvedRequest, runId: string): object {
  const { benchmark, model, output } = request;
  const { wrap_api_key: _wrap, ...modelFields } = model;
  const redacted = redact({
    benchmark: { id: benchmark.id, params: benchmark.params },
    model: modelFields,
    execution: timeoutsAndAttempts(request),
    output: { run_id: runId, ...(output.run_name !== "" && { run_name: output.run_name }) },
  });
  const document = dropEmpty(redacted);
  return isPlainObject(document) ? document : {};
}

/** The execution fields that say how a score came about. */
export function timeoutsAndAttempts(request: ResolvedRequest): object {
  const { execution } = request;
  return {
    run_timeout_seconds: execution.run_timeout_seconds,
    run_timer_compensation_seconds: execution.run_timer_compensation_seconds,
    evaluation_timeout_seconds: execution.evaluation_timeout_seconds,
    timeout_multiplier: execution.timeout_multiplier,
    run_timeout_multiplier: execution.run_timeout_multiplier,
    evaluation_timeout_multiplier: execution.evaluation_timeout_multiplier,
    runresult_collect_timeout_seconds: execution.runresult_collect_timeout_seconds,
    artifact_collect_timeout_seconds: execution.artifact_collect_timeout_seconds,
    artifact_limits: execution.artifact_limits,
    save_artifacts: execution.save_artifacts,
    artifacts: execution.artifacts,
    artifact_collect: execution.artifact_collect,
    attempts: execution.attempts,
  };
}
