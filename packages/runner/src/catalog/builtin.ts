import type { Catalog } from "@agentcompass/core/plugin";
import { environmentDescriptors } from "../environment/descriptors.ts";
import { harnessDescriptors } from "../harness/descriptors.ts";
import { benchmarkDescriptors } from "./benchmarks.ts";
import { extendCatalog } from "./extend.ts";

const EMPTY: Catalog = { benchmark: new Map(), harness: new Map(), environment: new Map() };

/** Every component that comes with AgentCompass; those of later releases have `load` null. */
export function builtinCatalog(): Catalog {
  return extendCatalog(EMPTY, {
    benchmarks: benchmarkDescriptors,
    harnesses: harnessDescriptors,
    environments: environmentDescriptors,
  });
}
