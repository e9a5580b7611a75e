export type { PermitView, Verdict } from "./decide.ts";
export { decide } from "./decide.ts";
export type { HeldPermit, HoldOptions } from "./hold-permit.ts";
export { holdPermit } from "./hold-permit.ts";
export type { Acquired, AcquireOptions } from "./permit-algebra.ts";
export { abandon, acquire, countLeases, expire, holdersOf, reclaim, release, renew } from "./permit-algebra.ts";
export type { Lease, PermitState, Waiter } from "./permit-state.ts";
export { askSignature, EMPTY_PERMIT_STATE, LEASE_MS } from "./permit-state.ts";
