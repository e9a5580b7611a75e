import { type Model, type ModelAnswer, type ModelAsk, ModelFailure, type ModelUsage } from "../plugin/index.ts";
import { type MeasuredUsage, NO_USAGE } from "../result/measurement.ts";

/** What the calls of one request have shown about its model. */
export type ModelContact = {
  calls: number;
  /**
   * Calls that a model's endpoint answered, with whatever status but 404 and 405. What is no answer of such an endpoint (a web page,
   * an empty object) does not count: the address is wrong, and no score can speak for a model.
   */
  reached: number;
  answered: number;
  readonly returnedModels: Set<string>;
  lastFailure: string | null;
  /** The last failure was a time that ran out: the model may well have been reached. */
  lastTimedOut: boolean;
};

export function newModelContact(): ModelContact {
  return { calls: 0, reached: 0, answered: 0, returnedModels: new Set(), lastFailure: null, lastTimedOut: false };
}

/** Sums of the model calls of one attempt, its discarded executions included. */
export type ModelMeter = { calls: number; readonly latencyMs: number[]; usage: MeasuredUsage };

export function newModelMeter(): ModelMeter {
  return { calls: 0, latencyMs: [], usage: NO_USAGE };
}

/** The same model, counting what it costs and whether it was ever reached. */
export function measureModel(model: Model, contact: ModelContact, meter: ModelMeter): Model {
  return {
    async complete(ask: ModelAsk): Promise<ModelAnswer> {
      contact.calls += 1;
      meter.calls += 1;
      try {
        const answer = await model.complete(ask);
        recordAnswer(answer, contact, meter);
        return answer;
      } catch (error) {
        recordFailure(error, contact);
        throw error;
      }
    },
  };
}

function recordAnswer(answer: ModelAnswer, contact: ModelContact, meter: ModelMeter): void {
  contact.reached += 1;
  contact.answered += 1;
  if (answer.returned_model !== null) contact.returnedModels.add(answer.returned_model);
  meter.latencyMs.push(answer.latency_ms);
  meter.usage = addUsage(meter.usage, answer.usage);
}

/** Statuses of an address behind which there is no such model or interface. */
const NOT_THERE = new Set([404, 405]);

function recordFailure(error: unknown, contact: ModelContact): void {
  if (!(error instanceof ModelFailure)) return;
  contact.lastTimedOut = error.reason === "timeout";
  contact.lastFailure = error.message;
  if (error.status !== null && !NOT_THERE.has(error.status)) contact.reached += 1;
}

function addUsage(sum: MeasuredUsage, call: ModelUsage): MeasuredUsage {
  const source = call.cost_source ?? (call.cost_usd > 0 ? "endpoint" : "unknown");
  const isKnown = source !== "unknown";
  const wasAsked = Object.values(sum.cost_calls).some((calls) => calls > 0);
  return {
    prompt_tokens: sum.prompt_tokens + call.prompt_tokens,
    completion_tokens: sum.completion_tokens + call.completion_tokens,
    cache_tokens: sum.cache_tokens + call.cache_tokens,
    cache_write_tokens: sum.cache_write_tokens + (call.cache_write_tokens ?? 0),
    reasoning_tokens: addKnown(sum.reasoning_tokens, call.reasoning_tokens),
    cost_usd: addKnown(wasAsked ? sum.cost_usd : null, isKnown ? call.cost_usd : null),
    cost_calls: { ...sum.cost_calls, [source]: sum.cost_calls[source] + 1 },
  };
}

/** Null only where nothing is known. */
function addKnown(left: number | null, right: number | null): number | null {
  return left === null && right === null ? null : (left ?? 0) + (right ?? 0);
}
