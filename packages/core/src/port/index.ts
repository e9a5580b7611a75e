export type { BlobStore, Durability } from "./blob-store.ts";
export type { Clock, Ids, Random } from "./clock.ts";
export type { Log, LogLevel, LogRecord } from "./log.ts";
export { LOG_LEVELS } from "./log.ts";
export { ancestorsOf, makeDirectory } from "./make-directory.ts";
export type { LimitAsk, PermitAsk, PermitDecision, PermitStore, WaitReason } from "./permit-store.ts";
