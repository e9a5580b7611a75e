import type { ComponentDescriptor, Harness, HarnessRun, OwnDefinition } from "@agentcompass/core/plugin";
import { PROTOCOLS } from "@agentcompass/core/spec";
import { z } from "zod";
import { sharedHarnessParams } from "../harness/shared-params.ts";
import { ownParams } from "./own-params.ts";
import { checkReturned } from "./returned-shape.ts";

type Definition = Extract<OwnDefinition, { kind: "harness" }>;

/** A team's own harness, as the catalog knows it. */
export function ownHarness(definition: Definition, path: string): ComponentDescriptor<Harness> {
  const protocols = definition.protocols ?? (definition.needsModel ? PROTOCOLS : []);
  return {
    kind: "harness",
    id: definition.id,
    description: definition.description,
    params: ownParams(definition.params, sharedHarnessParams),
    ...(protocols.length > 0 && { protocols }),
    origin: path,
    load: async () => toHarness(definition, protocols),
  };
}

function toHarness(definition: Definition, protocols: readonly string[]): Harness {
  const collect = definition.doCollect?.bind(definition);
  return {
    id: definition.id,
    parallelAttemptsSafe: definition.parallelAttemptsSafe ?? true,
    delivers: definition.delivers,
    needsModel: definition.needsModel,
    runsCommands: definition.runsCommands,
    protocols,
    ...(definition.environments && { environments: definition.environments }),
    defaultRunTimeoutSeconds: definition.defaultRunTimeoutSeconds ?? null,
    doRun: async (ask) => toRun(checkReturned(Run, await definition.doRun(ask), `harness '${definition.id}': doRun`)),
    ...(collect && { doCollect: async (ask) => collect(ask) }),
  };
}

const record = z.record(z.string(), z.unknown());
const Run = z.strictObject({
  final_answer: z.unknown(),
  trajectory: z.looseObject({ steps: z.array(z.unknown()) }).nullish(),
  issues: z.array(z.looseObject({ severity: z.enum(["fatal", "error", "warning"]), message: z.string() })).optional(),
  artifacts: record.optional(),
  telemetry: record.optional(),
});

function toRun(run: Partial<HarnessRun>): HarnessRun {
  return {
    final_answer: run.final_answer ?? "",
    trajectory: run.trajectory ?? null,
    issues: run.issues ?? [],
    artifacts: run.artifacts ?? {},
    telemetry: run.telemetry ?? {},
  };
}
