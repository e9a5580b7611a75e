import { EVENT_NAMES } from "@agentcompass/core/event";
import { attemptResultDocument, RUN_FILES } from "@agentcompass/core/record";
import { type AttemptResult, measurementDocument, NO_USAGE } from "@agentcompass/core/result";
import { describe, expect, it } from "vitest";
import { SCORERS } from "../../packages/runner/src/benchmark/params.ts";
import { allPages } from "./markdown.ts";

const pages = new Map((await allPages()).map((page) => [page.name, page.text]));

function code(name: string): string[] {
  return [...(pages.get(name) ?? "").matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? "");
}

const result: AttemptResult = {
  status: "completed",
  metrics: {},
  final_answer: null,
  trajectory: {},
  issues: [],
  artifacts: {},
  analysis_result: {},
  meta: { benchmark: {}, harness: {} },
  retry_count: 0,
};

const measurement = {
  task_id: "a",
  attempt: 1,
  waiting_ms: 0,
  working_ms: 0,
  calls: 0,
  latency_ms: [],
  usage: NO_USAGE,
};

describe("facts that the documentation repeats", () => {
  it("docs/architecture/event.md names every event", () => {
    expect(code("docs/architecture/event.md")).toEqual(expect.arrayContaining([...EVENT_NAMES]));
  });

  it("docs/guide/results.md names every file of a run", () => {
    for (const name of Object.values(RUN_FILES)) expect(pages.get("docs/guide/results.md")).toContain(name);
  });

  it("docs/guide/results.md names every key of result.json", () => {
    expect(code("docs/guide/results.md")).toEqual(expect.arrayContaining(Object.keys(attemptResultDocument(result))));
  });

  it("docs/guide/results.md names every key of measurement.json, and its schema", () => {
    const { schema_version, ...fields } = measurementDocument(measurement);
    const names = [...Object.keys(fields), ...Object.keys(measurement.usage), schema_version];
    expect(code("docs/guide/results.md")).toEqual(expect.arrayContaining(names));
  });

  it("docs/guide/quickstart.md names every scorer", () => {
    const shown = code("docs/guide/quickstart.md");
    expect(shown).toEqual(expect.arrayContaining([...SCORERS]));
  });
});
