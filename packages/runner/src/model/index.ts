export { createOpenAiChatModel, type ModelOptions } from "./openai-chat.ts";
export { createModel, MODEL_PROTOCOLS, type ModelProtocol } from "./protocol.ts";
