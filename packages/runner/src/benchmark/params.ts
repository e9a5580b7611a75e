import { AgentCompassError } from "@agentcompass/core";
import { z } from "zod";
import { JudgeParams } from "./scorer/judge-params.ts";

const sampleId = z.union([z.string(), z.int()]);

/** Parameters that every benchmark has: which tasks are taken, and how their values are combined. */
export const COMMON_PARAMS = {
  sample_ids: z
    .union([sampleId, z.array(sampleId)])
    .nullish()
    .describe("Ids of the tasks to take: one text or number, or a list. Taken in the order of the data. Default: all."),
  limit: z
    .int()
    .min(1)
    .nullish()
    .describe("Takes at most this many tasks, the first ones unless sample_seed is given. Default: all."),
  sample_seed: z
    .int()
    .nullish()
    .describe(
      "With limit: takes a sample that depends only on this number and the task ids, instead of the first tasks.",
    ),
  aggregation_mode: z
    .enum(["micro_weighted", "category_mean"])
    .nullish()
    .describe(
      "How task values become one: micro_weighted (default) is the mean over tasks, category_mean the mean over category means.",
    ),
  category_hierarchy: z
    .record(z.string(), z.unknown())
    .nullish()
    .describe("Tree with the single root `overall` that says how categories are combined; wins over aggregation_mode."),
};

const CommonParams = z.object(COMMON_PARAMS);
/** The common parameters, of a benchmark's parsed ones. */
export type CommonParams = z.infer<typeof CommonParams>;

export const SCORERS = ["exact", "numeric", "includes", "regex", "json", "judge"] as const;
export type ScorerId = (typeof SCORERS)[number];

export const JsonlParams = z.strictObject({
  path: z
    .string({ error: "needed: the JSONL file with your tasks" })
    .trim()
    .min(1, "needed: the JSONL file with your tasks")
    .describe("The JSONL file with the tasks, absolute or relative to the working directory."),
  scorer: z
    .enum(SCORERS)
    .default("exact")
    .describe(
      "How an answer is compared with `expected`. exact: equal texts after trimming. numeric: the last number in the answer has the same value. includes: the answer contains the text, upper and lower case apart. regex: the JavaScript pattern matches somewhere in the answer. json: the first JSON value in the answer is deeply equal. judge: the model of `judge` decides.",
    ),
  judge: JudgeParams.nullish().describe(
    "The model that decides for the scorer judge; needed with it, refused with another. What it uses is counted apart from the agent's model.",
  ),
  ...COMMON_PARAMS,
});

/** Any schema of the benchmark `jsonl`: a catalog with further scorers allows further ids. */
export type JsonlSchema = z.ZodType<Omit<z.output<typeof JsonlParams>, "scorer"> & { readonly scorer: string }>;

/** For benchmarks that have no parameters of their own. */
export const PlainParams = z.strictObject(COMMON_PARAMS);

/**
 * The typed parameters of a benchmark. Throws AgentCompassError `component.invalid` with the field's path, such as
 * `benchmark.path`.
 */
export function parseParams<T extends z.ZodType>(schema: T, params: unknown): z.output<T> {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = ["benchmark", ...(issue?.path ?? [])].map(String).join(".");
  throw new AgentCompassError("component.invalid", `${field}: ${issue?.message ?? "not allowed"}`);
}
