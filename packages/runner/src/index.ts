export { builtinCatalog, type Components, extendCatalog } from "./catalog/index.ts";
