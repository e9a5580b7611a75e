import type { Catalog } from "../plugin/component.ts";
import type { Ids } from "../port/clock.ts";
import type { ConfigLayer } from "./config.ts";
import type { Env } from "./reference.ts";

export type Overrides = {
  readonly task_concurrency?: number;
  /** Runtime options given on the command line or to the SDK; they win. */
  readonly runtime?: Readonly<Record<string, unknown>>;
  readonly run_id?: string;
  /** Sets `defaults.runtime.reuse`; a request's own value still wins. */
  readonly reuse?: boolean;
};

export type ResolveAsk = {
  readonly file?: { readonly name: string; readonly text: string };
  /** The parsed content, instead of a file. */
  readonly value?: unknown;
  /** True for a single run, whose results are named after model, benchmark and harness. */
  readonly run?: boolean;
  /** Replaces the analysis parameters of every request. */
  readonly analysisParams?: unknown;
  readonly configLayers: readonly ConfigLayer[];
  readonly env: Env;
  readonly overrides: Overrides;
  readonly catalog: Catalog;
  readonly ids: Ids;
};
