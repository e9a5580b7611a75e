import { blobStoreSuite, MemoryBlobStore, MemoryPermitStore, permitStoreSuite } from "@agentcompass/core/testing";

permitStoreSuite("memory", (setup) => new MemoryPermitStore(setup));
blobStoreSuite("memory", () => new MemoryBlobStore());
