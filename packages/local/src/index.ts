export { systemClock, systemIds, systemRandom } from "./clock.ts";
export { FolderBlobStore } from "./folder-blob-store.ts";
export { createHolder, isHolderAlive } from "./holder.ts";
export type { LocalPorts, LocalPortsOptions } from "./local-ports.ts";
export { createLocalPorts } from "./local-ports.ts";
export type { PermitStoreOptions } from "./sqlite-permit-store.ts";
export { openPermitStore } from "./sqlite-permit-store.ts";
export { defaultStatePath } from "./state-path.ts";
