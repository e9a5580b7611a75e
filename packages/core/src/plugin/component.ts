import type { z } from "zod";
import type { Benchmark } from "./benchmark.ts";
import type { Environment } from "./environment.ts";
import type { Harness } from "./harness.ts";

export const COMPONENT_KINDS = ["benchmark", "harness", "environment"] as const;
export type ComponentKind = (typeof COMPONENT_KINDS)[number];

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
};

/** Every component that a spec may name, by kind and id. */
export type Catalog = {
  readonly benchmark: ReadonlyMap<string, ComponentDescriptor<Benchmark>>;
  readonly harness: ReadonlyMap<string, ComponentDescriptor<Harness>>;
  readonly environment: ReadonlyMap<string, ComponentDescriptor<Environment>>;
};
