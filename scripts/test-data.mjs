/** Runs test/data over published data sets. Arguments go to vitest. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const NEEDED = [join("humaneval", "HumanEval.jsonl.gz")];

const root = fileURLToPath(new URL("..", import.meta.url));
const data = resolve(root, process.env.AGENTCOMPASS_TEST_DATA || "../shared/data");
const missing = NEEDED.find((file) => !existsSync(join(data, file)));

if (missing) {
  console.error(
    `test:data: there is no ${join(data, missing)}; set AGENTCOMPASS_TEST_DATA to a folder that has ${NEEDED.join(", ")}`,
  );
  process.exitCode = 1;
} else {
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  const args = [vitest, "run", "--config", "test/data/vitest.config.ts", ...process.argv.slice(2)];
  const env = { ...process.env, AGENTCOMPASS_TEST_DATA: data };
  const suite = spawn(process.execPath, args, { cwd: root, env, stdio: "inherit" });
  suite.on("exit", (code) => {
    process.exitCode = code ?? 1;
  });
}
