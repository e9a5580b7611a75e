import { type Model, type ModelAnswer, type ModelAsk, ModelFailure, type ModelUsage } from "../plugin/index.ts";

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
};

export function newModelContact(): ModelContact {
  return { calls: 0, reached: 0, answered: 0, returnedModels: new Set(), lastFailure: null };
}

/** Sums of the model calls of one attempt, its discarded executions included. */
export type ModelMeter = { calls: number; readonly latencyMs: number[]; usage: ModelUsage };

export function newModelMeter(): ModelMeter {
  return {
    calls: 0,
    latencyMs: [],
    usage: { prompt_tokens: 0, completion_tokens: 0, cache_tokens: 0, reasoning_tokens: null, cost_usd: 0 },
  };
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
  contact.lastFailure = error.message;
  if (error.status !== null && !NOT_THERE.has(error.status)) contact.reached += 1;
}

function addUsage(left: ModelUsage, right: ModelUsage): ModelUsage {
  const reasoning =
    left.reasoning_tokens === null && right.reasoning_tokens === null
      ? null
      : (left.reasoning_tokens ?? 0) + (right.reasoning_tokens ?? 0);
  return {
    prompt_tokens: left.prompt_tokens + right.prompt_tokens,
    completion_tokens: left.completion_tokens + right.completion_tokens,
    cache_tokens: left.cache_tokens + right.cache_tokens,
    reasoning_tokens: reasoning,
    cost_usd: left.cost_usd + right.cost_usd,
  };
}
