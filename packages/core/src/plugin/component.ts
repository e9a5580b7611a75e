import type { z } from "zod";
import type { Benchmark } from "./benchmark.ts";
import type { ScorerDefinition } from "./definition.ts";
import type { Environment } from "./environment.ts";
import type { Harness } from "./harness.ts";
import type { Recipe } from "./recipe.ts";

export const COMPONENT_KINDS = ["benchmark", "harness", "environment"] as const;
export type ComponentKind = (typeof COMPONENT_KINDS)[number];

/** Kinds of a team's own components: what a request names, and scorers and recipes. */
export const OWN_COMPONENT_KINDS = [...COMPONENT_KINDS, "scorer", "recipe"] as const;
export type OwnComponentKind = (typeof OWN_COMPONENT_KINDS)[number];

/**
 * What is known of a component without loading it: enough to list, document, resolve and validate.
 * `load` imports the implementation; a component of a later release has none and is refused when run.
 */
export type ComponentDescriptor<T> = {
  readonly kind: ComponentKind;
  readonly id: string;
  /** One line for `list` and the reference. */
  readonly description: string;
  /** Strict schema of the component's own parameters, every field described and defaulted where it has a default. */
  readonly params: z.ZodObject;
  readonly load: (() => Promise<T>) | null;
  /** Protocols that a harness speaks, its default first; known before it is loaded, so that a dry run can check them. */
  readonly protocols?: readonly string[];
  /** The file that a team's own component comes from; absent for those that come with AgentCompass. */
  readonly origin?: string;
};

/** One component of a file, for lists and provenance. */
export type OwnComponent = { readonly kind: OwnComponentKind; readonly id: string; readonly description: string };

/** A file with a team's own components, as it was loaded. */
export type ComponentFile = {
  /** Absolute. */
  readonly path: string;
  /** `sha256:<hex>` of its bytes; what it imports is not in it. */
  readonly checksum: string;
  readonly components: readonly OwnComponent[];
};

/** Every component that a spec may name, by kind and id. */
export type Catalog = {
  readonly benchmark: ReadonlyMap<string, ComponentDescriptor<Benchmark>>;
  readonly harness: ReadonlyMap<string, ComponentDescriptor<Harness>>;
  readonly environment: ReadonlyMap<string, ComponentDescriptor<Environment>>;
  /** Scorers of the benchmark `jsonl` besides the built-in ones. */
  readonly scorers?: ReadonlyMap<string, ScorerDefinition>;
  /** In the order in which they are tried. */
  readonly recipes?: readonly Recipe[];
  /** Files that components of this catalog were loaded from. */
  readonly files?: readonly ComponentFile[];
};
