export type { AgentCompassErrorOptions, ErrorCode, ErrorKind, Retry } from "./error.ts";
export { AgentCompassError, ERROR_CODES, errorText } from "./error.ts";
export { sha256 } from "./hash.ts";
export { inCodePointOrder } from "./result/code-point-order.ts";
