import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { MetricContract } from "@agentcompass/core/result";

const DRIVER = fileURLToPath(new URL("agentcompass-reader.py", import.meta.url));

// biome-ignore lint/suspicious/noExplicitAny: what the peer says is read as any script would read it
export type Json = any;

export type Reader = {
  readonly version: string;
  /** What the peer's `summary` returns; fails with its error. Without `write`, no file changes. */
  summary(runDirectory: string, options?: { benchmarkParams?: object; write?: boolean }): Promise<Json>;
  /** The answer of the peer's viewer at `/api/<route>`; fails unless the status is 200. */
  view(route: string, query: Readonly<Record<string, string | number>>): Promise<Json>;
  close(): Promise<void>;
};

/** Starts AgentCompass in a Python process that has the given benchmarks registered beside its own. */
export async function startReader(benchmarks: readonly { id: string; metrics: MetricContract }[]): Promise<Reader> {
  const python = process.env["AGENTCOMPASS_PEERS_PYTHON"];
  if (!python) throw new Error("AGENTCOMPASS_PEERS_PYTHON is not set; run the suite by: npm run test:peers");
  const child = spawn(python, [DRIVER, JSON.stringify(benchmarks)], { stdio: ["pipe", "pipe", "pipe"] });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<Json> => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`AgentCompass ended: ${stderr.slice(-2000)}`);
    return JSON.parse(value);
  };
  const { port, version } = await next();
  return {
    version,
    async summary(runDirectory, { benchmarkParams, write = false } = {}) {
      const ask = { run_dir: runDirectory, benchmark_params: benchmarkParams ?? null, dry_run: !write };
      child.stdin.write(`${JSON.stringify(ask)}\n`);
      const answer = await next();
      if ("error" in answer) throw new Error(answer.error);
      return answer;
    },
    async view(route, query) {
      const search = new URLSearchParams();
      for (const [name, value] of Object.entries(query)) search.set(name, String(value));
      const response = await fetch(`http://127.0.0.1:${port}/api/${route}?${search}`);
      const text = await response.text();
      if (response.status !== 200) throw new Error(`/api/${route} answered ${response.status}: ${text.slice(0, 500)}`);
      return JSON.parse(text);
    },
    async close() {
      child.stdin.end();
      await ended;
    },
  };
}
