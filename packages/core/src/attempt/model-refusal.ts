import { type Model, ModelFailure } from "../plugin/index.ts";

/** Why the last model call of an execution gave no answer; what a strict retry policy looks at. */
export type ModelRefusal = {
  readonly status: number | null;
  /** Code of the issue that the failure becomes. */
  readonly code: string;
  /** Epoch milliseconds before which the endpoint asked not to be called again; null when it did not. */
  readonly notBefore: number | null;
};

/** The last call of one execution: a refusal until a call is answered again. */
export type LastCall = { refusal?: ModelRefusal | undefined };

/** The same model, remembering how its last call ended: a harness may take a failure for an end of its own. */
export function rememberLastCall(model: Model, last: LastCall, now: () => number): Model {
  return {
    async complete(ask) {
      try {
        const answer = await model.complete(ask);
        last.refusal = undefined;
        return answer;
      } catch (error) {
        last.refusal = refusalOf(error, now());
        throw error;
      }
    },
  };
}

/** The refusal at the root of something thrown; undefined when no model call is its cause. */
export function refusalOf(error: unknown, now: number): ModelRefusal | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof ModelFailure) {
      const { status, code, retryAfterMs } = cause;
      return { status, code, notBefore: retryAfterMs === null ? null : now + retryAfterMs };
    }
  return undefined;
}
