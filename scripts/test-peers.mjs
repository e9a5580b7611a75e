/** Runs test/peers against the pinned peers, which it installs when they are not there. Arguments go to vitest. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPeers } from "./peers-install.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

try {
  const startedAt = performance.now();
  const { python, names } = await installPeers((line) => console.error(line));
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.error(`${names.join(" and ")} are at ${python} after ${seconds} s`);
  process.exitCode = await runSuite(python);
} catch (error) {
  console.error(`test:peers: ${error.message}`);
  process.exitCode = 1;
}

function runSuite(python) {
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  const args = [vitest, "run", "--config", "test/peers/vitest.config.ts", ...process.argv.slice(2)];
  const env = { ...process.env, AGENTCOMPASS_PEERS_PYTHON: python };
  const suite = spawn(process.execPath, args, { cwd: root, env, stdio: "inherit" });
  return new Promise((resolve, reject) => {
    suite.on("error", reject);
    suite.on("exit", (code) => resolve(code ?? 1));
  });
}
