export { harnessDescriptors } from "./descriptors.ts";
export { miniSweAgent } from "./mini-swe-agent/index.ts";
export { nop } from "./nop.ts";
export { openAiChat } from "./openai-chat.ts";
export { oracle } from "./oracle.ts";
