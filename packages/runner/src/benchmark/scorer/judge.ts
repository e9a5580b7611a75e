import { type ChatMessage, type Model, type ModelAnswer, ModelFailure, StageFailure } from "@agentcompass/core/plugin";
import type { ModelSpec } from "@agentcompass/core/spec";
import { asText, refuseText } from "./comparisons.ts";
import type { JudgeParams } from "./judge-params.ts";
import { judgeMessages } from "./judge-prompt.ts";
import { readVerdict, verdictFormat } from "./judge-verdict.ts";
import type { Score, ScoreAsk, Scorer } from "./scorer.ts";

/** A model reads question, reference and answer and decides; `params.judge` says which. An empty answer is wrong without a call. */
export const judge: Scorer = {
  refuse: (expected) => (typeof expected === "object" && expected !== null ? undefined : refuseText(expected)),
  reference: asText,
  score: async (ask) => {
    const judge = ask.params["judge"] as JudgeParams;
    if (ask.answer.trim() === "") return { correct: false, meta: { reason: "the answer is empty" } };
    return gradeAnswer(ask, judge);
  },
};

async function gradeAnswer(ask: ScoreAsk, judge: JudgeParams): Promise<Score> {
  const { answer, expected, task, signal } = ask;
  const messages = judgeMessages(judge, { question: task.metadata["input"], expected, answer });
  try {
    const model = await ask.connectModel(modelSpec(judge), judge.api_protocol);
    const reply = await askForVerdict(model, messages, judge, signal);
    const { correct, ...verdict } = readVerdict(reply.content, judge);
    return { correct, meta: { ...verdict, judge: usedModel(judge, reply) } };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ModelFailure)) throw error;
    throw new StageFailure("fatal", "judge_failed", `judge ${judge.model}: ${error.message}`, {
      phase: "evaluate",
      cause: error,
    });
  }
}

async function askForVerdict(
  model: Model,
  messages: readonly ChatMessage[],
  judge: JudgeParams,
  signal: AbortSignal,
): Promise<ModelAnswer> {
  const plain = { messages, signal };
  if (judge.response_format === "none") return model.complete(plain);
  try {
    return await model.complete({ ...plain, params: { response_format: verdictFormat(judge) } });
  } catch (error) {
    if (judge.response_format !== "auto" || !refusesFormat(error)) throw error;
    return model.complete(plain);
  }
}

/** Endpoints that know no schemas say 400 or 422, with words of their own. */
function refusesFormat(error: unknown): boolean {
  if (!(error instanceof ModelFailure)) return false;
  // Too long a conversation is no shorter without a form.
  if (error.code === "model_context_overflow") return false;
  return error.code === "model_parameter_unsupported" || error.status === 400 || error.status === 422;
}

function modelSpec(judge: JudgeParams): ModelSpec {
  const { model, base_url, api_key, api_protocol, params } = judge;
  return { id: model, base_url, api_key, api_protocol, params, wrap_api_key: false };
}

function usedModel({ model }: JudgeParams, { returned_model, usage, latency_ms }: ModelAnswer) {
  return { model, returned_model, usage, latency_ms };
}
