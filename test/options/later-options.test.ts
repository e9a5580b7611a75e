import { dryRun, type RunEvaluationOptions } from "@agentcompass/sdk";
import { describe, expect, it } from "vitest";
import { createPlace, HOST, namesIn, refused } from "./place.ts";

type Given = Partial<RunEvaluationOptions>;

const EXECUTION: readonly (readonly [string, unknown])[] = [
  ["save_artifacts", true],
  ["artifacts", ["/logs"]],
  ["artifact_collect", ["make report"]],
  ["artifact_collect_timeout_seconds", 5],
  ["artifact_limits", { max_mb: 5 }],
];

const ENVIRONMENT: readonly (readonly [string, unknown])[] = [
  ["evaluation_setup", { image: "some:1" }],
  ["evaluation_resources", { cpu: 1 }],
  ["evaluation_baseline_network_policy", { network_mode: "public" }],
  ["evaluation_environment_env_variables", { A: "b" }],
  ["evaluation_environment_mode", "fresh"],
];

/** Field as it is named, options that give it, and the sections of a file that do. */
const LATER: readonly (readonly [string, Given, object])[] = [
  ...EXECUTION.map(
    ([field, value]) => [field, { executionParams: { [field]: value } }, { execution: { [field]: value } }] as const,
  ),
  ...ENVIRONMENT.map(
    ([field, value]) =>
      [field, { environmentParams: { [field]: value } }, { environment: { ...HOST, [field]: value } }] as const,
  ),
  [
    "analyzers",
    { analysisParams: { analyzers: ["content_keyword"] } },
    { execution: { analysis_params: { analyzers: ["content_keyword"] } } },
  ],
  [
    "content_keyword",
    { analysisParams: { content_keyword: { threshold: 1 } } },
    { execution: { analysis_params: { content_keyword: { threshold: 1 } } } },
  ],
];

describe.each(LATER)("%s: comes later", (field, options, sections) => {
  const request = {
    benchmark: { id: "starter" },
    harness: { id: "nop" },
    environment: HOST,
    model: { id: "none" },
    ...sections,
  };

  it("is refused by name when a run gives it, before anything is written", async () => {
    const place = await createPlace();
    const line = await refused(place.run(options));
    expect(line).toMatch(/^component\.unavailable: /);
    expect(line).toContain(`${field}:`);
    expect(await namesIn(`${place.path}/results`)).toEqual([]);
  });

  it("fails that request alone of a launch", async () => {
    const place = await createPlace();
    const good = {
      name: "good",
      benchmark: { id: "work" },
      harness: { id: "worker" },
      environment: HOST,
      model: { id: "none" },
    };
    const { requests } = await place.launch({ requests: [{ name: "bad", ...request }, good] });
    expect([requests["bad"]?.status, requests["good"]?.status]).toEqual(["failed", "completed"]);
    expect(requests["bad"]?.error).toContain(field);
  });

  it("is resolved by a dry run", async () => {
    await createPlace();
    const { payload } = await dryRun({ requests: [{ name: "one", ...request }] });
    expect(JSON.stringify(payload)).toContain(`"${field}"`);
  });
});

it("analyzers: not refused when analysis is off", async () => {
  const place = await createPlace();
  const analysisParams = { analyzers: ["content_keyword"] };
  expect((await place.run({ analysisParams, enableAnalysis: false })).status).toBe("completed");
});

it.each([
  ["benchmark", { benchmark: "swebench_verified" }, { benchmark: { id: "swebench_verified" } }],
  ["harness", { harness: "terminus2", model: "m" }, { harness: { id: "terminus2" } }],
  ["environment", { environment: "docker" }, { environment: { id: "docker" } }],
] as const)(
  "%s: a component of a later release is refused by name; a dry run resolves it",
  async (kind, options, section) => {
    const place = await createPlace();
    expect(await refused(place.run(options))).toMatch(
      new RegExp(
        `^component.unavailable: ${kind} '${Object.values(options)[0]}' is declared but comes with a later release`,
      ),
    );
    const request = {
      benchmark: { id: "starter" },
      harness: { id: "nop" },
      environment: HOST,
      model: { id: "m" },
      ...section,
    };
    expect((await dryRun({ requests: [{ name: "one", ...request }] })).payload).toMatchObject({ requests: [section] });
  },
);
