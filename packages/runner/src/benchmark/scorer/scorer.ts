import type { EvaluateAsk } from "@agentcompass/core/plugin";

/** What a scorer is asked: one answer, and where it comes from. */
export type ScoreAsk = Pick<EvaluateAsk, "task" | "params" | "connectModel" | "signal" | "log"> & {
  /** Empty when the agent gave none. */
  readonly answer: string;
  readonly expected: unknown;
};

export type Score = {
  readonly correct: boolean;
  /** How it came about, kept in the attempt's `meta.benchmark`. */
  readonly meta?: Readonly<Record<string, unknown>>;
};

/** One way to score an answer by what a task expects. */
export type Scorer = {
  /** Why this can be no expectation; undefined when it can. */
  readonly refuse: (expected: unknown) => string | undefined;
  /** The answer that stands for the expectation; undefined when none can be told. */
  readonly reference: (expected: unknown) => string | undefined;
  /** Throws StageFailure when it cannot tell whether the answer is right. */
  readonly score: (ask: ScoreAsk) => Score | Promise<Score>;
};

/** A scorer that looks at nothing but the answer and the expectation. */
export type Comparison = Pick<Scorer, "refuse" | "reference"> & {
  readonly isCorrect: (answer: string, expected: unknown) => boolean;
};

export function comparing(comparison: Comparison): Scorer {
  const { refuse, reference, isCorrect } = comparison;
  return { refuse, reference, score: ({ answer, expected }) => ({ correct: isCorrect(answer, expected) }) };
}
