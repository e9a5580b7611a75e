/** Declarations of the SDK for the published package: one tree without a reference to this workspace. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import ts from "typescript";

const ROOMS = ["core", "local", "runner", "sdk"];
const WORKSPACE = /^@agentcompass\/([^/]+)(?:\/(.+))?$/;

/** Writes sdk.d.ts into `outDir` and everything that it refers to under `outDir`/types. */
export function writeTypes(root, outDir) {
  const declarations = emitDeclarations(root);
  const pending = ["sdk/index"];
  const written = new Set();
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (written.has(name)) continue;
    written.add(name);
    const text = declarations.get(name);
    if (text === undefined) throw new Error(`no declarations of ${name}`);
    const path = join(outDir, "types", `${name}.d.ts`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, rewrite(text, name, pending));
  }
  writeFileSync(join(outDir, "sdk.d.ts"), 'export * from "./types/sdk/index.js";\n');
}

/** Declarations by `<room>/<path>` of every source that the SDK reaches. */
function emitDeclarations(root) {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
  const { options, fileNames } = ts.parseJsonConfigFileContent(
    { ...config, include: ROOMS.map((room) => `packages/${room}/src`), exclude: ["**/*.test.ts"] },
    ts.sys,
    root,
  );
  const program = ts.createProgram(fileNames, {
    ...options,
    incremental: false,
    tsBuildInfoFile: undefined,
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    outDir: join(root, "out"),
    rootDir: root,
  });
  const declarations = new Map();
  program.emit(undefined, (path, text) => {
    const [, room, file] = /out\/packages\/([^/]+)\/src\/(.+)\.d\.ts$/.exec(path) ?? [];
    if (room !== undefined) declarations.set(`${room}/${file}`, text);
  });
  return declarations;
}

/** Turns names of workspace packages and `.ts` endings into relative paths of the tree. */
function rewrite(text, name, pending) {
  return text.replace(/((?:from|import\()\s*")([^"]+)(")/g, (_whole, before, specifier, after) => {
    const target = targetOf(specifier, name);
    if (target === undefined) return `${before}${specifier}${after}`;
    pending.push(target);
    const path = relative(dirname(name), target);
    return `${before}${path.startsWith(".") ? path : `./${path}`}.js${after}`;
  });
}

function targetOf(specifier, name) {
  const [, room, folder] = WORKSPACE.exec(specifier) ?? [];
  if (room !== undefined) return folder === undefined ? `${room}/index` : `${room}/${folder}/index`;
  return specifier.startsWith(".") ? join(dirname(name), specifier).replace(/\.ts$/, "") : undefined;
}
