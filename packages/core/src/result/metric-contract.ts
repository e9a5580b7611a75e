/** One metric that a benchmark may report. */
export type MetricDeclaration = {
  /** Matches `[A-Za-z][A-Za-z0-9_.-]*`; `correct` and `score` are reserved for primaries. */
  readonly id: string;
  /** binary_success is a strict boolean (reducers avg and pass); scalar a finite number (avg only). */
  readonly kind: "binary_success" | "scalar";
  readonly primary: boolean;
  /** Default: the id in title case. */
  readonly label?: string;
};

/** The metrics of a benchmark in report order; exactly one is primary. */
export type MetricContract = readonly MetricDeclaration[];

/** Attempts per task and how they are reduced. */
export type AttemptPlan = { readonly k: number; readonly strategy: "avg" | "pass" };
