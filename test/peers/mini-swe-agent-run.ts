import { spawn } from "node:child_process";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { PreparedTask } from "@agentcompass/core/plugin";
import { hostProcess } from "@agentcompass/runner/environment";
import { miniSweAgent } from "@agentcompass/runner/harness";
import { createModel } from "@agentcompass/runner/model";
import { type ModelReply, startModelServer } from "@agentcompass/runner/testing";

const PEER = fileURLToPath(new URL("mini-swe-agent-peer.py", import.meta.url));
const TRAJECTORY_READER = fileURLToPath(new URL("mini-swe-agent-trajectory.py", import.meta.url));

function modelParams({ protocol }: Scenario): Readonly<Record<string, unknown>> {
  return { temperature: 0, [protocol === "openai-responses" ? "max_output_tokens" : "max_tokens"]: 512 };
}

// biome-ignore lint/suspicious/noExplicitAny: what either agent sent and wrote is compared as it is
export type Json = any;

export type Protocol = "openai-chat" | "openai-responses";

export type Scenario = {
  readonly name: string;
  /** Default openai-chat. */
  readonly protocol?: Protocol;
  readonly replies: readonly ModelReply[];
  /** 0 is no limit. */
  readonly stepLimit?: number;
  readonly commandTimeoutSeconds?: number;
  /** Folder whose files lie in the workspace. */
  readonly files?: string;
  /** Read from the workspace at the end. */
  readonly readBack?: string;
};

/** What one agent did in a scenario. */
export type Conduct = {
  /** Bodies of its requests. */
  readonly requests: readonly Json[];
  /** Its own trajectory document. */
  readonly trajectory: Json;
  readonly workspace: string;
  readonly file: string | undefined;
};

/** What our harness did, and the steps that it wrote into its result. */
export type OwnConduct = Conduct & { readonly steps: readonly Json[] };

export const TASK = "Do what the files of this folder ask for.";

/** Runs PyPI's agent on all scenarios, in one process since it takes seconds to start. */
export async function peerConducts(scenarios: readonly Scenario[]): Promise<readonly Conduct[]> {
  const places = await Promise.all(
    scenarios.map(async (scenario) => {
      const workspace = await mkdtemp(join(tmpdir(), "agentcompass-peer-"));
      if (scenario.files) await cp(scenario.files, workspace, { recursive: true });
      return { scenario, workspace, server: await startModelServer(scenario.replies) };
    }),
  );
  const asks = places.map(({ scenario, workspace, server }) => ({
    model: "scripted",
    model_class: scenario.protocol === "openai-responses" ? "litellm_response" : "litellm",
    base_url: server.url,
    model_params: modelParams(scenario),
    cwd: workspace,
    task: TASK,
    step_limit: scenario.stepLimit ?? 0,
    command_timeout: scenario.commandTimeoutSeconds ?? 30,
  }));
  const trajectories = await runPython(PEER, asks);
  return Promise.all(
    places.map(async ({ scenario, workspace, server }, index) => {
      const file = scenario.readBack === undefined ? undefined : await readIfThere(join(workspace, scenario.readBack));
      await Promise.all([server.close(), rm(workspace, { recursive: true })]);
      return { requests: server.requests.map(({ body }) => body), trajectory: trajectories[index], workspace, file };
    }),
  );
}

/** Runs our harness on one scenario, in a session and with a model of the product. */
export async function ownConduct(scenario: Scenario): Promise<OwnConduct> {
  await using server = await startModelServer(scenario.replies);
  const signal = new AbortController().signal;
  const log = () => {};
  const session = await hostProcess.doOpen({
    params: {},
    setup: {},
    resources: {},
    env: {},
    label: "peers",
    signal,
    log,
  });
  try {
    if (scenario.files) await session.upload(scenario.files, session.workdir);
    const protocol = scenario.protocol ?? "openai-chat";
    const modelSpec = {
      id: "scripted",
      base_url: server.url,
      api_key: "x",
      api_protocol: protocol,
      params: modelParams(scenario),
      wrap_api_key: false,
    };
    const { artifacts, trajectory } = await miniSweAgent.doRun({
      params: { step_limit: scenario.stepLimit ?? 0, command_timeout: scenario.commandTimeoutSeconds ?? 30 },
      prepared: task(session.workdir),
      session,
      modelSpec,
      model: createModel(protocol, modelSpec),
      applyReference: undefined,
      deadlineAt: undefined,
      clock: systemClock,
      signal,
      log,
    });
    return {
      requests: server.requests.map(({ body }) => body),
      trajectory: artifacts["mini_swe_agent_raw_trajectory"],
      steps: trajectory?.steps ?? [],
      workspace: session.workdir,
      file: scenario.readBack === undefined ? undefined : await session.readText(scenario.readBack),
    };
  } finally {
    await session.close();
  }
}

function task(workspace: string): PreparedTask {
  return {
    task_id: "t",
    category: null,
    ground_truth: null,
    input: { prompt: TASK, system_prompt: null, media: [], files: [], workspace, tools: [], messages: [] },
    output: { answer: null, files: [] },
    metadata: {},
  };
}

const systemClock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  offsetMinutes: () => 0,
  sleep: (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, ms);
      signal?.addEventListener("abort", () => {
        clearTimeout(timer);
        reject(signal.reason);
      });
    }),
};

/** The steps that AgentCompass finds in trajectories of mini-swe-agent. */
export function stepsByAgentCompass(trajectories: readonly Json[]): Promise<readonly Json[]> {
  return runPython(TRAJECTORY_READER, trajectories);
}

async function runPython(script: string, given: readonly unknown[]): Promise<readonly Json[]> {
  const python = process.env["AGENTCOMPASS_PEERS_PYTHON"];
  if (!python) throw new Error("AGENTCOMPASS_PEERS_PYTHON is not set; run the suite by: npm run test:peers");
  const child = spawn(python, [script], { stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.end(JSON.stringify(given));
  const ended = new Promise<number | null>((resolve, reject) => child.once("error", reject).once("close", resolve));
  const [output, errors, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (status !== 0) throw new Error(`the peer ended with status ${status}: ${errors.slice(-2000)}`);
  return JSON.parse(output);
}

async function readIfThere(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch(() => undefined);
}
