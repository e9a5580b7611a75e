import { fileURLToPath } from "node:url";
import type { ScriptedTask } from "./agentcompass-run.ts";

/** What the peer's viewer counts in a run. */
export type ViewerCounts = {
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
  readonly errors: number;
  readonly correct: number;
  readonly wrong: number;
};

export type Case = {
  readonly name: string;
  readonly tasks: readonly ScriptedTask[];
  readonly benchmarkParams?: object;
  readonly options?: readonly string[];
  readonly counts: ViewerCounts;
  readonly status: "completed" | "failed";
  readonly retries?: number;
  readonly config?: object;
  /** What run_info.json holds of it. */
  readonly runInfo?: object;
};

const COMPONENT = fileURLToPath(new URL("graded-benchmark.ts", import.meta.url));

/** Weights that no binary fraction holds, a leaf without tasks, and a category outside the tree. */
const HIERARCHY = {
  overall: {
    aggregation: "weighted",
    children: {
      words: {
        weight: 0.3,
        aggregation: "unweighted",
        children: { "lang/a": { aggregation: "leaf" }, "lang~b": { aggregation: "leaf" } },
      },
      numbers: {
        weight: 0.7,
        aggregation: "weighted_by_count",
        children: { sums: { aggregation: "leaf" }, products: { aggregation: "leaf" }, none: { aggregation: "leaf" } },
      },
    },
  },
};

const CATEGORIES = ["lang/a", "lang~b", "sums", "products", "outside"] as const;

/** Ids that a file system, a URL or a pattern would like to read in its own way. */
export const ODD_IDS = [
  ...[
    "a/b",
    "a:b",
    "a+b",
    "a b",
    "a_b",
    "..",
    ".",
    "-",
    "模型a",
    "数据a",
    "é",
    "e\u0301",
    "😀",
    'quote"\\',
    "%2F",
    "?x=1&y#z",
  ],
  ...[
    "x".repeat(300),
    `${"x".repeat(79)}/cut`,
    `${"x".repeat(299)}y`,
    "A".repeat(80),
    "a".repeat(80),
    "CON",
    "line\nbreak",
    "tab\there",
  ],
];

const threeCategories = (index: number) => ["alpha", "beta", "γ"][index % 3];

export const CASES: readonly Case[] = [
  {
    name: "one attempt in three categories and without one",
    tasks: [
      ...Array.from({ length: 10 }, (_, index): ScriptedTask => {
        return {
          id: `task-${index}`,
          category: threeCategories(index),
          answers: [index % 4 === 0 ? "wrong" : "right"],
        };
      }),
      { id: "no-category", category: null, answers: ["right"] },
      { id: "blank-category", category: "  ", answers: ["wrong"] },
      { id: "padded-category", category: " alpha ", answers: ["right"] },
    ],
    counts: { total: 13, completed: 13, failed: 0, errors: 0, correct: 9, wrong: 4 },
    status: "completed",
  },
  {
    name: "the mean of three attempts",
    tasks: Array.from({ length: 9 }, (_, index): ScriptedTask => {
      const answers = [0, 1, 2].map((attempt) => (attempt < index % 4 ? "right" : "wrong"));
      return { id: `task-${index}`, category: threeCategories(index), answers };
    }),
    options: ["--k", "3", "--attempt-strategy", "avg"],
    counts: { total: 9, completed: 9, failed: 0, errors: 0, correct: 0, wrong: 0 },
    status: "completed",
  },
  {
    name: "pass at four, which stops at the first success",
    tasks: [
      { id: "first", category: "alpha", answers: ["right"] },
      { id: "third", category: "alpha", answers: ["wrong", "wrong", "right"] },
      { id: "never", category: "beta", answers: ["wrong"] },
      { id: "last", category: "beta", answers: ["wrong", "wrong", "wrong", "right"] },
      { id: "refused-first", category: "beta", answers: ["400", "right"] },
    ],
    options: ["--k", "4", "--attempt-strategy", "pass"],
    counts: { total: 5, completed: 5, failed: 0, errors: 1, correct: 4, wrong: 1 },
    status: "completed",
  },
  {
    name: "the mean of category means",
    tasks: Array.from({ length: 11 }, (_, index): ScriptedTask => {
      return { id: `task-${index}`, category: threeCategories(index), answers: [index < 7 ? "right" : "wrong"] };
    }),
    benchmarkParams: { aggregation_mode: "category_mean" },
    counts: { total: 11, completed: 11, failed: 0, errors: 0, correct: 7, wrong: 4 },
    status: "completed",
  },
  {
    name: "a weighted hierarchy of categories over three attempts",
    tasks: Array.from({ length: 23 }, (_, index): ScriptedTask => {
      const answers = [0, 1, 2].map((attempt) => ((index * 7 + attempt * 5) % 3 === 0 ? "wrong" : "right"));
      return { id: `task-${index}`, category: CATEGORIES[index % 5], answers };
    }),
    benchmarkParams: { category_hierarchy: HIERARCHY },
    options: ["--k", "3"],
    counts: { total: 23, completed: 23, failed: 0, errors: 0, correct: 0, wrong: 0 },
    status: "completed",
  },
  {
    name: "errors of the model, with and without an answer",
    tasks: [
      { id: "good", category: "alpha", answers: ["right"] },
      { id: "wrong", category: "alpha", answers: ["wrong"] },
      { id: "refused", category: "alpha", answers: ["400"] },
      { id: "empty", category: "beta", answers: ["empty"] },
      { id: "refused-too", category: "beta", answers: ["400"] },
    ],
    counts: { total: 5, completed: 5, failed: 0, errors: 3, correct: 1, wrong: 4 },
    status: "completed",
  },
  {
    name: "a fatal task, which takes the official score away",
    tasks: [
      { id: "good", category: "alpha", answers: ["right"] },
      { id: "wrong", category: "alpha", answers: ["wrong"] },
      { id: "fatal", category: "beta", answers: ["500"] },
      { id: "good-too", category: "beta", answers: ["right"] },
    ],
    counts: { total: 4, completed: 3, failed: 1, errors: 0, correct: 2, wrong: 1 },
    status: "failed",
  },
  {
    name: "a fatal attempt among three",
    tasks: [
      { id: "good", category: "alpha", answers: ["right", "wrong", "right"] },
      { id: "fatal-once", category: "alpha", answers: ["right", "500", "right"] },
      { id: "refused-once", category: "beta", answers: ["right", "400", "right"] },
    ],
    options: ["--k", "3", "--task-concurrency", "1"],
    counts: { total: 3, completed: 2, failed: 1, errors: 1, correct: 0, wrong: 0 },
    status: "failed",
  },
  {
    name: "a task that its retries save, and one that they do not",
    tasks: [
      { id: "saved", category: "alpha", answers: ["500", "500", "right"] },
      { id: "good", category: "alpha", answers: ["right"] },
      { id: "lost", category: "beta", answers: ["500"] },
    ],
    options: ["--max-retries", "2"],
    counts: { total: 3, completed: 2, failed: 1, errors: 0, correct: 2, wrong: 0 },
    status: "failed",
    retries: 4,
  },
  {
    name: "options that it does not know: prices, components, the strict policy, the breaker, the told deadline",
    tasks: [
      { id: "saved", category: "alpha", answers: ["500", "right"] },
      { id: "good", category: "alpha", answers: ["right"] },
      { id: "wrong", category: "beta", answers: ["wrong"] },
      { id: "refused", category: "beta", answers: ["401"] },
    ],
    options: [
      ...["--max-retries", "1", "--component", COMPONENT, "--execution-params"],
      '{"retry_policy": "strict", "fatal_task_limit": 5, "tell_deadline": true, "retry_min_delay_seconds": 0.01, "retry_max_delay_seconds": 0.02}',
    ],
    config: { prices: { "scripted-*": { input: 1.5, output: 6, cached_input: 0.1 } } },
    counts: { total: 4, completed: 3, failed: 1, errors: 0, correct: 2, wrong: 1 },
    status: "failed",
    retries: 1,
    runInfo: {
      request: { execution: { retry_policy: "strict", fatal_task_limit: 5, tell_deadline: true } },
      provenance: { components: [{ path: COMPONENT }], model: { price: { input: 1.5, output: 6, cached_input: 0.1 } } },
    },
  },
  {
    name: "ids of every kind",
    tasks: ODD_IDS.map((id, index): ScriptedTask => ({ id, category: id, answers: [index % 2 ? "wrong" : "right"] })),
    counts: { total: 24, completed: 24, failed: 0, errors: 0, correct: 12, wrong: 12 },
    status: "completed",
  },
  {
    name: "two hundred tasks in seven categories",
    tasks: Array.from({ length: 200 }, (_, index): ScriptedTask => {
      const answers = [0, 1, 2, 3, 4].map((attempt) => ((index * 31 + attempt * 17) % 7 < 4 ? "right" : "wrong"));
      return { id: `${index}`, category: `category ${(index * index) % 7}`, answers };
    }),
    options: ["--k", "5"],
    benchmarkParams: { aggregation_mode: "category_mean" },
    counts: { total: 200, completed: 200, failed: 0, errors: 0, correct: 0, wrong: 0 },
    status: "completed",
  },
];
