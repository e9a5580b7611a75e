export type { ModelOptions } from "./endpoint-model.ts";
export { createModel, MODEL_PROTOCOLS, type ModelProtocol } from "./protocol.ts";
