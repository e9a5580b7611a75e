import { StageTimeout } from "@agentcompass/core/attempt";
import { type Model, type ModelAnswer, type RunAsk, StageFailure } from "@agentcompass/core/plugin";
import type { MiniSweAgentParams } from "../mini-swe-agent-params.ts";
import { BASH_TOOL, readActions } from "./bash-tool.ts";
import { runModelCommand } from "./command.ts";
import { conversationMessages, type Entry, type Exit, type Reply } from "./conversation.ts";
import { type Limits, limitReached, type Spent } from "./limits.ts";
import { callUntil } from "./model-call.ts";
import { submissionOf } from "./submission.ts";

export type AgentAsk = {
  readonly run: Pick<RunAsk, "session" | "modelSpec" | "clock" | "signal" | "log">;
  readonly model: Model;
  readonly params: MiniSweAgentParams;
  readonly limits: Limits;
  readonly workspace: string;
  /** System and user message that the conversation starts with. */
  readonly opening: readonly Entry[];
};

export type AgentRun = { readonly entries: readonly Entry[]; readonly spent: Spent; readonly exit: Exit };

type Progress = { readonly entries: Entry[]; spent: Spent };

/**
 * The agent's loop: ask, run the commands of the reply in order, tell what they printed, until one submits or a limit is
 * reached. Failures end it as data; only an abort is thrown.
 */
export async function runAgent(ask: AgentAsk): Promise<AgentRun> {
  const progress: Progress = {
    entries: [...ask.opening],
    spent: { calls: 0, costUsd: 0, formatErrors: 0 },
  };
  let exit: Exit | undefined;
  while (!exit) exit = limitReached(progress.spent, ask.limits, ask.run.clock.now()) ?? (await step(ask, progress));
  return { ...progress, exit };
}

async function step(ask: AgentAsk, progress: Progress): Promise<Exit | undefined> {
  try {
    const reply = await query(ask, progress);
    const exit = reply && (await execute(ask, progress, reply));
    if (reply) progress.spent = { ...progress.spent, formatErrors: 0 };
    return exit;
  } catch (error) {
    ask.run.signal.throwIfAborted();
    if (error instanceof StageTimeout) return { status: "TimeExceeded", submission: "" };
    return { status: "Failed", submission: "", failure: error };
  }
}

/** Undefined after a reply that cannot be used; its cost does not count towards the limit, as in mini-swe-agent. */
async function query(ask: AgentAsk, progress: Progress): Promise<Reply | undefined> {
  const { clock } = ask.run;
  const { spent, entries } = progress;
  const calls = spent.calls + 1;
  progress.spent = { ...spent, calls };
  const startedAt = clock.now();
  const answer = await callUntil(ask.run, ask.limits.stopAt, (signal) => complete(ask, entries, signal));
  const cost = knownCost(answer, ask.params);
  const times = { startedAt, at: clock.now() };
  const reading = readActions(answer, calls);
  if ("formatError" in reading) {
    entries.push({ kind: "format_error", answer, content: reading.formatError, ...times });
    progress.spent = { ...spent, calls, formatErrors: spent.formatErrors + 1 };
    return undefined;
  }
  progress.spent = { ...spent, calls, costUsd: spent.costUsd + cost };
  const reply: Reply = { kind: "reply", answer, ...reading, ...times };
  entries.push(reply);
  return reply;
}

function complete(ask: AgentAsk, entries: readonly Entry[], signal: AbortSignal): Promise<ModelAnswer> {
  const messages = conversationMessages(entries, { interleavedThinking: ask.params.interleaved_thinking });
  const isGiven = Object.hasOwn(ask.run.modelSpec.params, "parallel_tool_calls");
  return ask.model.complete({
    messages,
    tools: [BASH_TOOL],
    params: isGiven ? {} : { parallel_tool_calls: true },
    signal,
  });
}

function knownCost({ usage }: ModelAnswer, params: MiniSweAgentParams): number {
  if (usage.cost_usd > 0 || params.cost_tracking === "ignore_errors") return usage.cost_usd;
  const message =
    "harness.cost_tracking: the cost of a call is not known; give the model's prices, or set cost_tracking to ignore_errors";
  throw new StageFailure("fatal", "harness_failed", message);
}

async function execute(ask: AgentAsk, { entries }: Progress, reply: Reply): Promise<Exit | undefined> {
  const { session, signal, clock } = ask.run;
  for (const { command, tool_call_id } of reply.actions) {
    const timeoutMs = timeLeft(ask);
    if (timeoutMs !== undefined && timeoutMs <= 0) return { status: "TimeExceeded", submission: "" };
    const result = await runModelCommand({ session, command, cwd: ask.workspace, timeoutMs, signal });
    entries.push({ kind: "observation", tool_call_id, result, at: clock.now() });
    const submission = submissionOf(result);
    if (submission !== undefined) return { status: "Submitted", submission, droppedBytes: result.dropped_bytes };
  }
  return undefined;
}

/** Milliseconds for the next command: its own limit, or what is left of the run. */
function timeLeft({ params, limits, run }: AgentAsk): number | undefined {
  const own = params.command_timeout === null ? Number.POSITIVE_INFINITY : params.command_timeout * 1000;
  const left = limits.stopAt === undefined ? Number.POSITIVE_INFINITY : limits.stopAt - run.clock.now();
  const least = Math.min(own, left);
  return Number.isFinite(least) ? least : undefined;
}
