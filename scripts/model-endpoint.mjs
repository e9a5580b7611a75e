import { fork } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installModel } from "./model-install.mjs";

const MODEL_ID = "SmolLM2-135M-Instruct";
const SERVER = fileURLToPath(new URL("model-server.mjs", import.meta.url));
const START_TIMEOUT_MS = 120_000;

/**
 * Installs what is missing, starts the endpoint and waits until it has answered a question. `{ url, model, pid, child }`: the address
 * without `/v1`, and the process that serves it. With `stay` it outlives its starter. Throws an error of one line.
 */
export async function startModel({ stay = false, say = () => {} } = {}) {
  const { directory, modelFile } = await installModel(say);
  const logFile = join(directory, "server.log");
  const log = openSync(logFile, "a");
  const child = fork(SERVER, [directory, modelFile, MODEL_ID, ...(stay ? ["--stay"] : [])], {
    cwd: directory,
    // A group of its own: Ctrl-C in the terminal ends the tests first, and their starter then ends the endpoint.
    detached: true,
    stdio: ["ignore", log, log, "ipc"],
  });
  closeSync(log);
  try {
    const { port, model } = await listening(child, logFile);
    const url = `http://127.0.0.1:${port}`;
    await firstAnswer(url, model);
    return { url, model, pid: child.pid, child };
  } catch (error) {
    child.kill("SIGKILL");
    throw error;
  }
}

function listening(child, logFile) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`the model did not start in time; see ${logFile}`)),
      START_TIMEOUT_MS,
    );
    child.once("message", (message) => {
      clearTimeout(timer);
      resolve(message);
    });
    child.once("exit", (code, signal) => {
      clearTimeout(timer);
      reject(
        new Error(`the model ended with ${signal ?? code}: ${readFileSync(logFile, "utf8").trim().split("\n").at(-1)}`),
      );
    });
  });
}

async function firstAnswer(url, model) {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model, messages: [{ role: "user", content: "Hello" }], max_tokens: 1, temperature: 0 }),
    signal: AbortSignal.timeout(START_TIMEOUT_MS),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`the model answered with status ${response.status}: ${text}`);
}
