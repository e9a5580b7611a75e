/** Runs test/model against a real small language model, which it starts and ends. Arguments go to vitest. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startModel } from "./model-endpoint.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const data = resolve(root, process.env.AGENTCOMPASS_TEST_DATA || "../shared/data");
const EXIT_OF_SIGNAL = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

let stopped;
let suite;
for (const signal of Object.keys(EXIT_OF_SIGNAL))
  process.on(signal, () => {
    stopped ??= signal;
    if (suite) signalGroup(suite.pid, signal);
  });

process.exitCode = await main().catch((error) => {
  console.error(`test:model: ${error.message}`);
  return 1;
});

async function main() {
  if (!existsSync(join(data, "gsm8k", "test.jsonl")))
    throw new Error(
      `there is no ${join(data, "gsm8k", "test.jsonl")}; set AGENTCOMPASS_TEST_DATA to a folder that has gsm8k/test.jsonl`,
    );
  const startedAt = performance.now();
  const model = await startModel({ say: (line) => console.error(line) });
  console.error(`model ${model.model} answers at ${model.url} after ${seconds(startedAt)} s`);
  // What an interrupted suite leaves behind goes with the folder.
  const scratch = await mkdtemp(join(tmpdir(), "agentcompass-test-model-"));
  try {
    return stopped ? EXIT_OF_SIGNAL[stopped] : await runSuite(model, scratch);
  } finally {
    if (suite) await endGroup(suite.pid);
    await end(model.child);
    await rm(scratch, { recursive: true, force: true });
  }
}

function runSuite({ url, model }, scratch) {
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  const env = {
    ...process.env,
    AGENTCOMPASS_MODEL_URL: url,
    AGENTCOMPASS_MODEL_ID: model,
    AGENTCOMPASS_TEST_DATA: data,
    TMPDIR: scratch,
  };
  const args = [vitest, "run", "--config", "test/model/vitest.config.ts", ...process.argv.slice(2)];
  // A group of its own, so that a signal reaches the test workers and the commands they run too.
  suite = spawn(process.execPath, args, { cwd: root, env, stdio: "inherit", detached: true });
  return new Promise((done, fail) => {
    suite.on("error", fail);
    suite.on("exit", (code, signal) => done(stopped ? EXIT_OF_SIGNAL[stopped] : (code ?? EXIT_OF_SIGNAL[signal] ?? 1)));
  });
}

/** False when the group has no process left. */
function signalGroup(leader, signal) {
  try {
    return process.kill(-leader, signal);
  } catch {
    return false;
  }
}

/** An interrupted command has its own grace to write down how it ended. */
async function endGroup(leader) {
  const deadline = performance.now() + 20_000;
  signalGroup(leader, "SIGTERM");
  while (signalGroup(leader, 0) && performance.now() < deadline) await sleep(100);
  signalGroup(leader, "SIGKILL");
}

function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  return new Promise((done) => {
    child.once("exit", done);
    child.kill("SIGTERM");
    // A model in the middle of an answer may be busy in compiled code.
    setTimeout(() => child.kill("SIGKILL"), 5_000).unref();
  });
}

function seconds(since) {
  return ((performance.now() - since) / 1000).toFixed(1);
}
