import { isAbsolute, posix } from "node:path";
import { errorText } from "@agentcompass/core";
import {
  EnvironmentFailure,
  type Harness,
  type HarnessRun,
  type RunAsk,
  StageFailure,
} from "@agentcompass/core/plugin";
import type { Issue } from "@agentcompass/core/result";
import { MiniSweAgentParams } from "../mini-swe-agent-params.ts";
import { type AgentRun, runAgent } from "./agent.ts";
import { exitIssues, missingFilesIssue } from "./issues.ts";
import { stopTime } from "./limits.ts";
import { miniTrajectory } from "./mini-trajectory.ts";
import { type OutputFiles, readOutputFiles } from "./output-files.ts";
import { agentSteps } from "./steps.ts";
import { openingOf } from "./task.ts";

/** The rules of mini-swe-agent 2.4.5: one tool that runs a command, until a command submits or a limit is reached. */
export const miniSweAgent: Harness = {
  id: "mini_swe_agent",
  parallelAttemptsSafe: true,
  delivers: ["text", "workspace"],
  needsModel: true,
  runsCommands: true,
  protocols: ["openai-chat", "openai-responses"],
  defaultRunTimeoutSeconds: null,
  doRun: runMiniSweAgent,
};

async function runMiniSweAgent(ask: RunAsk): Promise<HarnessRun> {
  const { model, prepared, session, clock } = ask;
  if (!model) throw new StageFailure("fatal", "harness_failed", "mini_swe_agent needs a model, but the model is none");
  const params = MiniSweAgentParams.parse(ask.params);
  const startedAt = clock.now();
  const stopAt = stopTime(ask.deadlineAt, startedAt);
  const workspace = await makeWorkspace(ask);
  const limits = { steps: params.step_limit, costUsd: params.cost_limit, stopAt };
  const opening = await openingOf(prepared, session);
  const agent = await runAgent({ run: ask, model, params, limits, workspace, opening });
  const output = await outputFiles(ask, agent, workspace);
  const trajectory = miniTrajectory(agent, { params, modelId: ask.modelSpec.id, workspace });
  const file = await writeTrajectory(ask, params, workspace, trajectory);
  return {
    final_answer: Object.values(output.files)[0] ?? agent.exit.submission,
    trajectory: agentSteps(agent.entries, clock, startedAt, clock.now()),
    issues: [...exitIssues(agent, params), ...missingFilesIssue(output.missing), ...file.issues],
    artifacts: { file: output.files, mini_swe_agent_raw_trajectory: trajectory },
    telemetry: telemetry(agent, params, { workspace, output, trajectoryPath: file.path }),
  };
}

/** The task's own directory; it is made where it is not there yet. */
async function makeWorkspace({ prepared, session }: RunAsk): Promise<string> {
  const workspace = posix.resolve(session.workdir, prepared.input.workspace ?? ".");
  if (workspace === session.workdir) return workspace;
  const { returncode, stderr } = await session.exec({ command: ["mkdir", "-p", workspace] });
  if (returncode === 0) return workspace;
  throw new StageFailure("fatal", "harness_failed", `the workspace ${workspace} cannot be made: ${stderr.trim()}`);
}

const NO_FILES: OutputFiles = { files: {}, missing: [] };

/** Where the environment is gone there are none, and the failure is known already. */
async function outputFiles({ prepared, session }: RunAsk, { exit }: AgentRun, workspace: string): Promise<OutputFiles> {
  if (exit.failure instanceof EnvironmentFailure) return NO_FILES;
  const paths = prepared.output.files.map(({ path }) => path);
  return readOutputFiles(session, workspace, paths);
}

type Written = { readonly path?: string; readonly issues: readonly Issue[] };

async function writeTrajectory(
  { session, prepared, clock }: RunAsk,
  { artifact_dir }: MiniSweAgentParams,
  workspace: string,
  trajectory: unknown,
): Promise<Written> {
  if (artifact_dir === "") return { issues: [] };
  const name = `mini_swe_agent_${prepared.task_id.replaceAll(/[^\w.-]/g, "_").slice(0, 100)}_${clock.now()}.traj.json`;
  const path = posix.join(isAbsolute(artifact_dir) ? artifact_dir : posix.join(workspace, artifact_dir), name);
  try {
    await session.writeText(path, `${JSON.stringify(trajectory, null, 2)}\n`);
    return { path, issues: [] };
  } catch (error) {
    const message = `harness.artifact_dir: the trajectory cannot be written to ${path}: ${errorText(error)}`;
    return { issues: [{ severity: "warning", phase: "collect", code: "diagnostic_write_failed", message }] };
  }
}

type Facts = { readonly workspace: string; readonly output: OutputFiles; readonly trajectoryPath: string | undefined };

function telemetry(
  { exit, spent }: AgentRun,
  params: MiniSweAgentParams,
  facts: Facts,
): Readonly<Record<string, unknown>> {
  const requested = [...Object.keys(facts.output.files), ...facts.output.missing];
  return {
    exit_status: exit.status,
    api_calls: spent.calls,
    instance_cost: spent.costUsd,
    workspace: facts.workspace,
    launch_mode: params.launch_mode,
    command_timeout: params.command_timeout,
    interleaved_thinking: params.interleaved_thinking,
    ...(requested.length > 0 && { requested_output_files: requested }),
    ...(facts.output.missing.length > 0 && { missing_output_files: facts.output.missing }),
    ...(facts.trajectoryPath !== undefined && { trajectory_path: facts.trajectoryPath }),
  };
}
