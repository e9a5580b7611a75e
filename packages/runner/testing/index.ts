export { type ArchiveEntry, type ArchiveServer, startArchiveServer, tarGz } from "./archive-server.ts";
export { environmentSuite, openAsk } from "./environment-suite.ts";
export {
  type ModelHandler,
  type ModelReply,
  type ModelRequest,
  type ModelServer,
  startModelServer,
} from "./scripted-model-server.ts";
