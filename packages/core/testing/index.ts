export { blobStoreSuite } from "./blob-store-suite.ts";
export { FAKE_EPOCH_MS, FakeClock } from "./fake-clock.ts";
export { fakeIds, seededRandom } from "./fake-identity.ts";
export { MemoryBlobStore } from "./memory-blob-store.ts";
export type { MemoryPermitStoreOptions } from "./memory-permit-store.ts";
export { MemoryPermitStore } from "./memory-permit-store.ts";
export type { PermitStoreSetup } from "./permit-store-suite.ts";
export { permitStoreSuite } from "./permit-store-suite.ts";
