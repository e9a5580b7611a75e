import { readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { agentcompass, temporaryDirectory } from "./command.ts";

/** An endpoint that takes calls and never answers. */
async function silentEndpoint(): Promise<string> {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

describe("a signal during a run", () => {
  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("%s ends it with exit code %i and a terminal status on disk", async (signal, expected) => {
    const cwd = await temporaryDirectory();
    await writeFile(join(cwd, "tasks.jsonl"), '{"input": "1+1", "expected": "2"}\n'.repeat(3));
    let sent = false;
    const { code, stderr } = await agentcompass(
      [
        ...["run", "jsonl", "openai_chat", "m", "--benchmark-params", '{"path": "tasks.jsonl"}'],
        ...[
          "--model-base-url",
          await silentEndpoint(),
          "--model-api-key",
          "k",
          "--run-id",
          "r",
          "--log-level",
          "CRITICAL",
        ],
      ],
      {
        cwd,
        onStderr(text, child) {
          if (sent || !text.includes("started, 3 tasks")) return;
          sent = true;
          setTimeout(() => child.kill(signal), 300);
        },
      },
    );
    expect(stderr).toContain(`${signal}: ending the run`);
    expect(code).toBe(expected);
    expect(await statusOf(join(cwd, "results"))).toBe("cancelled");
  });
});

async function statusOf(results: string): Promise<unknown> {
  const files = await readdir(results, { recursive: true });
  const file = files.find((name) => name.endsWith("run_info.json")) ?? "absent";
  return JSON.parse(await readFile(join(results, file), "utf8")).status;
}
