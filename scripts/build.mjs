/**
 * Builds packages/cli/dist: main.js (the command), sdk.js and sdk.d.ts (the package's main export) and data/.
 * Sources of this workspace are bundled, the dependencies of packages/cli/package.json are not.
 */
import { cp, mkdir, readFile, rename, rm } from "node:fs/promises";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "tsdown";

const root = fileURLToPath(new URL("..", import.meta.url));
const cli = `${root}packages/cli`;
const startedAt = performance.now();

const { dependencies } = JSON.parse(await readFile(`${cli}/package.json`, "utf8"));
// A build beside the old one: a command that runs at the same moment finds all of its files or the new ones.
const fresh = `${cli}/dist.${process.pid}`;

const shared = {
  config: false,
  cwd: cli,
  outDir: fresh,
  format: "esm",
  platform: "node",
  target: "node20.19",
  fixedExtension: false,
  clean: false,
  report: false,
  logLevel: "error",
  deps: { neverBundle: Object.keys(dependencies).map((name) => new RegExp(`^${name}(/|$)`)), alwaysBundle: [/^@agentcompass\//] },
};

try {
  await build({ ...shared, entry: { main: "src/main.ts", sdk: "src/sdk.ts" }, dts: process.env.DTS === "0" ? false : true });
  const data = `${root}packages/runner/data`;
  if (existsSync(data)) await cp(data, `${fresh}/data`, { recursive: true });
  await mkdir(fresh, { recursive: true });
  await rm(`${cli}/dist`, { recursive: true, force: true });
  await rename(fresh, `${cli}/dist`);
} finally {
  await rm(fresh, { recursive: true, force: true });
}
console.log(`built packages/cli/dist in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
