/**
 * Builds packages/cli/dist: main.js (the command), sdk.js and sdk.d.ts (the package's main export), testing.js
 * (contract tests for components of one's own, whose vitest is the caller's) and data/.
 * Sources of this workspace are bundled, the dependencies of packages/cli/package.json are not, but for those that consist of
 * a hundred small files and that nearly every command loads: their licences stand in dist/licenses.txt. With `--types`, as
 * for packing, sdk.d.ts stands alone; else it refers to the sources, which takes no time.
 */
import { existsSync } from "node:fs";
import { cp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "tsdown";

const root = fileURLToPath(new URL("..", import.meta.url));
const cli = `${root}packages/cli`;
const data = `${root}packages/runner/data`;
// Built beside the old one and then put in its place, so that no half-written build is ever found.
const fresh = `${cli}/dist-${process.pid}`;

/** Loading them file by file takes a fifth of the time of a run of one task. */
const BUNDLED = ["commander", "openai", "yaml", "zod"];

async function bundle() {
  const { dependencies } = JSON.parse(await readFile(`${cli}/package.json`, "utf8"));
  await build({
    config: false,
    cwd: cli,
    entry: { main: "src/main.ts", sdk: "src/sdk.ts", testing: "../runner/testing/environment-suite.ts" },
    outDir: fresh,
    dts: false,
    format: "esm",
    platform: "node",
    target: "node20.19",
    fixedExtension: false,
    clean: false,
    report: false,
    logLevel: "error",
    deps: {
      neverBundle: [...Object.keys(dependencies), "vitest"].filter((name) => !BUNDLED.includes(name)).map(importsOf),
      alwaysBundle: [/^@agentcompass\//, ...BUNDLED.map(importsOf)],
    },
  });
  await types();
  await licenses();
  if (existsSync(data)) await cp(data, `${fresh}/data`, { recursive: true });
}

/** Declarations of the contract suite; the SDK's are beside it in either form. */
const TESTING_TYPES = `import type { Environment, OpenAsk } from "./sdk.js";
/** What a test opens a session with; fields of \`over\` win. */
export declare function openAsk(over?: Partial<OpenAsk>): OpenAsk;
/** The contract of an environment as tests of vitest. Needs sh and a few POSIX tools there. */
export declare function environmentSuite(name: string, load: () => Promise<Environment>, over?: Partial<OpenAsk>): void;
`;

function importsOf(name) {
  return new RegExp(`^${name}(/|$)`);
}

async function licenses() {
  const texts = BUNDLED.map(async (name) => {
    const directory = `${root}node_modules/${name}`;
    const { version } = JSON.parse(await readFile(`${directory}/package.json`, "utf8"));
    return `${name} ${version}\n\n${await readFile(`${directory}/LICENSE`, "utf8")}`;
  });
  await writeFile(`${fresh}/licenses.txt`, (await Promise.all(texts)).join(`\n${"-".repeat(80)}\n`));
}

async function types() {
  await writeFile(`${fresh}/testing.d.ts`, TESTING_TYPES);
  if (!process.argv.includes("--types")) {
    await writeFile(`${fresh}/sdk.d.ts`, 'export * from "@agentcompass/sdk";\n');
    return;
  }
  const { writeTypes } = await import("./types.mjs");
  writeTypes(root, fresh);
}

async function replace() {
  const old = `${cli}/dist-${process.pid}-old`;
  await rename(`${cli}/dist`, old).catch((error) => {
    if (error.code !== "ENOENT") throw error;
  });
  await rename(fresh, `${cli}/dist`);
  await rm(old, { recursive: true, force: true });
}

const startedAt = performance.now();
try {
  await bundle();
  await replace();
  console.log(`Built packages/cli/dist in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
} catch (error) {
  console.error(`The build failed: ${error.message}`);
  process.exitCode = 1;
} finally {
  await rm(fresh, { recursive: true, force: true });
}
