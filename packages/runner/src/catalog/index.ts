export { builtinCatalog } from "./builtin.ts";
export { type LoadFilesAsk, loadComponentFiles, type NamedFile } from "./component-file.ts";
export { type Components, extendCatalog } from "./extend.ts";
export { recipeFiles } from "./recipe-directory.ts";
