/** Lint and format, types, and direction of imports, side by side; prints what each has to say once it ends. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const CHECKS = [
  ["biome", "ci", "."],
  ["tsc", "-p", "tsconfig.json"],
  ["depcruise", "--config", ".dependency-cruiser.cjs", "packages", "test"],
];

const codes = await Promise.all(CHECKS.map(runCheck));
if (codes.some((code) => code !== 0)) process.exitCode = 1;

function runCheck([name, ...args]) {
  const startedAt = performance.now();
  const check = spawn(join(root, "node_modules", ".bin", name), args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  for (const stream of [check.stdout, check.stderr])
    stream.setEncoding("utf8").on("data", (part) => {
      text += part;
    });
  return new Promise((resolve, reject) => {
    check.on("error", reject);
    check.on("close", (code) => {
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      process.stdout.write(`${name}: ${code === 0 ? "passed" : "failed"} after ${seconds} s\n${text}`);
      resolve(code);
    });
  });
}
