import type { ComponentDescriptor, Environment, OwnDefinition } from "@agentcompass/core/plugin";
import { ownParams } from "./own-params.ts";

type Definition = Extract<OwnDefinition, { kind: "environment" }>;

/** A team's own environment, as the catalog knows it. */
export function ownEnvironment(definition: Definition, path: string): ComponentDescriptor<Environment> {
  return {
    kind: "environment",
    id: definition.id,
    description: definition.description,
    params: ownParams(definition.params, {}),
    origin: path,
    load: async () => ({
      id: definition.id,
      networkModes: definition.networkModes,
      resourceFields: definition.resourceFields ?? [],
      setupFields: definition.setupFields ?? [],
      ownsFilesystem: definition.ownsFilesystem,
      ...(definition.exposure !== undefined && { exposure: definition.exposure }),
      doOpen: (ask) => definition.doOpen(ask),
    }),
  };
}
