import { AgentCompassError } from "../error.ts";
import { EXECUTION_DEFAULTS } from "../spec/index.ts";
import type { ResolvedRequest } from "../spec/resolved.ts";

/** Options whose effect comes later are refused by name when a request runs; a dry run still resolves them. */
export function refuseLaterOptions(request: ResolvedRequest): void {
  const { execution, environment } = request;
  const set: [boolean, string, string][] = [
    [execution.save_artifacts === true, "execution.save_artifacts", "the download of artifacts"],
    [execution.artifacts !== null, "execution.artifacts", "the download of artifacts"],
    [execution.artifact_collect !== null, "execution.artifact_collect", "the collection of artifacts"],
    [
      execution.artifact_collect_timeout_seconds !== null,
      "execution.artifact_collect_timeout_seconds",
      "the collection of artifacts",
    ],
    [
      JSON.stringify(execution.artifact_limits) !== JSON.stringify(EXECUTION_DEFAULTS.artifact_limits),
      "execution.artifact_limits",
      "the collection of artifacts",
    ],
    [Object.keys(environment.evaluation_setup).length > 0, "environment.evaluation_setup", "a second environment"],
    [
      Object.keys(environment.evaluation_resources).length > 0,
      "environment.evaluation_resources",
      "a second environment",
    ],
    [
      Object.keys(environment.evaluation_environment_env_variables).length > 0,
      "environment.evaluation_environment_env_variables",
      "a second environment",
    ],
    [
      environment.evaluation_baseline_network_policy !== null,
      "environment.evaluation_baseline_network_policy",
      "a second environment",
    ],
  ];
  for (const [isSet, field, what] of set)
    if (isSet)
      throw new AgentCompassError("component.unavailable", `${field}: ${what} comes with a later release; remove it`);
  refuseAnalyzers(request);
}

const ANALYSIS_FIELDS = new Set(Object.keys(EXECUTION_DEFAULTS.analysis_params));

/** No analyzer is built in yet: the ones that are asked for by name would silently not run. */
function refuseAnalyzers(request: ResolvedRequest): void {
  const params = request.execution.analysis_params;
  const named = Object.keys(params).find((key) => !ANALYSIS_FIELDS.has(key));
  if (request.execution.enable_analysis && named !== undefined)
    throw new AgentCompassError(
      "component.unavailable",
      `execution.analysis_params.${named}: no analyzer is installed yet; remove it or set enable_analysis: false`,
    );
  const analyzers = params["analyzers"];
  if (!request.execution.enable_analysis || !Array.isArray(analyzers) || analyzers.length === 0) return;
  throw new AgentCompassError(
    "component.unavailable",
    `execution.analysis_params.analyzers: ${analyzers.map(String).join(", ")} cannot run, no analyzer is installed yet; remove the list or set enable_analysis: false`,
  );
}
