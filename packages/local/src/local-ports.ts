import type { BlobStore, Clock, Ids, Log, PermitStore, Random } from "@agentcompass/core/port";
import { systemClock, systemIds, systemRandom } from "./clock.ts";
import { FolderBlobStore } from "./folder-blob-store.ts";
import { createHolder } from "./holder.ts";
import { openPermitStore } from "./sqlite-permit-store.ts";

export type LocalPortsOptions = {
  /** Where permits are kept: a file (see `defaultStatePath`) or `:memory:`, which shares with no other process. */
  readonly statePath: string;
  readonly log?: Log | undefined;
};

/** Everything the engine needs of this machine. */
export type LocalPorts = {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: Random;
  readonly permits: PermitStore;
  /** The name under which this process asks for permits. */
  readonly holder: string;
  /** Blobs in a folder, which is made when first written. */
  readonly blobs: (root: string) => BlobStore;
  /** Gives back every permit this process still holds. */
  readonly close: () => Promise<void>;
};

/** Throws `store.unwritable` when the state file cannot be written. Reads no environment variable. */
export async function createLocalPorts(options: LocalPortsOptions): Promise<LocalPorts> {
  const holder = createHolder();
  const permits = await openPermitStore({ path: options.statePath, clock: systemClock, holder, log: options.log });
  return {
    clock: systemClock,
    ids: systemIds,
    random: systemRandom,
    permits,
    holder,
    blobs: (root) => new FolderBlobStore(root),
    close: () => permits.close(),
  };
}
