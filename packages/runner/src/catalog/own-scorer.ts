import type { Benchmark, ComponentDescriptor, ScorerDefinition } from "@agentcompass/core/plugin";
import { StageFailure } from "@agentcompass/core/plugin";
import { z } from "zod";
import { JsonlParams, type JsonlSchema, SCORERS } from "../benchmark/params.ts";
import type { Scorer } from "../benchmark/scorer/index.ts";

/** The benchmark `jsonl` with further scorers, which its parameter `scorer` may then name. */
export function jsonlWithScorers(
  jsonl: ComponentDescriptor<Benchmark>,
  own: readonly ScorerDefinition[],
): ComponentDescriptor<Benchmark> {
  const ids = [...SCORERS, ...own.map((scorer) => scorer.id)];
  const { scorer } = JsonlParams.shape;
  const texts = own.map(({ id, description }) => `${id}: ${description}`);
  const params = JsonlParams.extend({
    scorer: z
      .enum(ids as [string, ...string[]])
      .default("exact")
      .describe([scorer.description, ...texts].join(" ")),
  });
  return { ...jsonl, params, load: () => loadJsonl(params, own) };
}

async function loadJsonl(params: JsonlSchema, own: readonly ScorerDefinition[]): Promise<Benchmark> {
  const [{ createJsonlBenchmark }, { SCORER_BY_ID }] = await Promise.all([
    import("../benchmark/jsonl.ts"),
    import("../benchmark/scorer/index.ts"),
  ]);
  const scorers = { ...SCORER_BY_ID, ...Object.fromEntries(own.map((one) => [one.id, toScorer(one)])) };
  return createJsonlBenchmark(scorers, params);
}

function toScorer(definition: ScorerDefinition): Scorer {
  return {
    refuse: (expected) => definition.refuse?.(expected),
    reference: (expected) => {
      if (definition.reference) return definition.reference(expected);
      return typeof expected === "string" ? expected : undefined;
    },
    score: async ({ answer, expected }) => {
      const correct: unknown = await definition.isCorrect(answer, expected);
      if (typeof correct === "boolean") return { correct };
      throw new StageFailure(
        "error",
        "scorer_invalid",
        `scorer '${definition.id}': isCorrect must return true or false, found ${JSON.stringify(correct) ?? "nothing"}`,
      );
    },
  };
}
