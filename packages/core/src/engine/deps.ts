import type { ProgressEvent } from "../event/index.ts";
import type { Catalog, Model } from "../plugin/index.ts";
import type { BlobStore, Clock, Ids, Log, PermitStore, Random } from "../port/index.ts";
import type { ModelSpec, ResolvedRequest } from "../spec/resolved.ts";
import type { RequestOutcome } from "./outcome.ts";

/** Everything the engine touches. Two engines differ only in who fills this. */
export type EngineDeps = {
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: Random;
  readonly permits: PermitStore;
  /** Names this process or runner in leases. */
  readonly holder: string;
  /** The store whose root is a results directory. */
  readonly results: (resultsDir: string) => BlobStore;
  /** Absolute path of a data directory. */
  readonly dataDirectory: (dataDir: string) => string;
  readonly createModel: (ask: CreateModelAsk) => Promise<Model>;
  /** The caller's environment, for `${NAME}` in task environment maps; never handed to a task. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Version of this program, kept as provenance. */
  readonly version: string;
  readonly onEvent: (event: ProgressEvent) => void;
  readonly onRequestFinished: (outcome: RequestOutcome) => void;
  readonly onLog: Log;
};

export type CreateModelAsk = {
  readonly request: ResolvedRequest;
  readonly spec: ModelSpec;
  readonly protocol: string;
  /** Absolute run directory, part of a wrapped key. */
  readonly runDirectory: string;
};
