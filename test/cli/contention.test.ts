import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startModelServer } from "@agentcompass/runner/testing";
import { describe, expect, it } from "vitest";
import { agentcompass, temporaryDirectory } from "./command.ts";

describe("two processes of one user", () => {
  it("together never exceed a provider limit, and both finish", async () => {
    const cwd = await temporaryDirectory();
    const lines = Array.from({ length: 20 }, (_, index) =>
      JSON.stringify({ input: `question ${index}`, expected: "42" }),
    );
    await writeFile(join(cwd, "tasks.jsonl"), lines.join("\n"));
    await using server = await startModelServer(() => ({ delayMs: 40 }));
    const run = (id: string) =>
      agentcompass(
        [
          ...[
            "run",
            "jsonl",
            "openai_chat",
            "m",
            "--benchmark-params",
            '{"path": "tasks.jsonl", "scorer": "includes"}',
          ],
          ...["--model-base-url", server.url, "--model-api-key", "k", "--run-id", id, "--progress", "none"],
          ...["--provider-limit", "host_process=3", "--task-concurrency", "8"],
        ],
        { cwd, env: { HOME: cwd } },
      );
    const ended = await Promise.all([run("one"), run("two")]);
    expect(ended.map(({ code }) => code)).toEqual([0, 0]);
    expect(server.requests).toHaveLength(40);
    expect(server.maxInFlight).toBeLessThanOrEqual(3);
    expect(server.maxInFlight).toBeGreaterThan(1);
  });
});
