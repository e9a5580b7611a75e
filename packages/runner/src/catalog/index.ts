export { builtinCatalog } from "./builtin.ts";
export { type Components, extendCatalog } from "./extend.ts";
