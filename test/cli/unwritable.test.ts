import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startModelServer } from "@agentcompass/runner/testing";
import { describe, expect, it } from "vitest";
import { agentcompass, temporaryDirectory } from "./command.ts";

const QUIET = ["--log-level", "CRITICAL", "--progress", "none"];

describe("a place that takes no directory", () => {
  it.each([
    ["results below /proc", ["--results-dir", "/proc/nope/results"], "/proc/nope"],
    ["a run id that is too long", ["--run-id", "x".repeat(300)], "longer"],
  ])("is refused in one line: %s", async (_case, options, text) => {
    const { code, stdout, stderr } = await agentcompass(["run", "starter", "nop", "none", ...options, ...QUIET]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^Error: [^\n]+\n$/);
    expect(stderr).toContain(text);
  });

  it("is refused as a log file before anything runs", async () => {
    const cwd = await temporaryDirectory();
    const suite =
      "runtime: {log_file: /proc/nope/log}\nrequests: [{name: a, benchmark: {id: starter}, harness: {id: nop}, environment: {id: host_process}, model: {id: none}}]\n";
    await writeFile(join(cwd, "suite.yaml"), suite);
    const { code, stderr } = await agentcompass(["launch", "suite.yaml"], { cwd });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^Error: runtime\.log_file: [^\n]+\n$/);
  });

  it("is no obstacle as a home: limits hold within the process then, and a line says so", async () => {
    const { code, stderr } = await agentcompass(["run", "starter", "nop", "none", "--progress", "none"], {
      env: { HOME: "/proc/nope" },
    });
    expect(code).toBe(0);
    expect(stderr).toContain("limits hold only within this process");
  });
});

describe("a model's address and key", () => {
  const run = (cwd: string, ...options: string[]) =>
    agentcompass(
      ["run", "jsonl", "openai_chat", "m", "--benchmark-params", '{"path": "t.jsonl"}', ...options, ...QUIET],
      { cwd },
    );

  async function tasks(): Promise<string> {
    const cwd = await temporaryDirectory();
    await writeFile(join(cwd, "t.jsonl"), '{"input": "1+1", "expected": "2"}\n');
    return cwd;
  }

  it.each([
    ["notaurl", "is no address"],
    ["ftp://127.0.0.1/x", "http:// or https://"],
    ["http://user:pw@127.0.0.1:9/v1", "api_key"],
    ["http://127.0.0.1:99999/v1", "is no address"],
    ["${NOT_SET_ANYWHERE}", "${NOT_SET_ANYWHERE} is not set"],
  ])("%s is refused before anything is written", async (address, text) => {
    const { code, stderr } = await run(await tasks(), "--model-base-url", address, "--model-api-key", "k");
    expect(code).toBe(2);
    expect(stderr).toMatch(/^Error: [^\n]+\n$/);
    expect(stderr).toContain(text);
  });

  it("a key that no header can carry is refused", async () => {
    const { code, stderr } = await run(
      await tasks(),
      "--model-base-url",
      "http://127.0.0.1:9/v1",
      "--model-api-key",
      "a\nb",
    );
    expect(code).toBe(2);
    expect(stderr).toContain("model.api_key");
  });

  it.each([
    ["a web page", { body: "<html>hello</html>", contentType: "text/html" }],
    ["an empty object", { body: {} }],
    ["a path that is not there", { status: 404 }],
  ])("behind which %s answers gives no official score", async (_case, reply) => {
    const cwd = await tasks();
    await using server = await startModelServer([reply]);
    const { code, stderr } = await run(
      cwd,
      ...[
        "--model-base-url",
        server.url,
        "--model-api-key",
        "k",
        "--run-id",
        "r",
        "--harness-params",
        '{"max_retries": 1}',
      ],
    );
    expect(code).toBe(1);
    expect(stderr).toContain("never reached");
    const metrics = await readFile(join(cwd, "results/m_jsonl_openai_chat/r/metrics.json"), "utf8");
    expect(JSON.parse(metrics)).toMatchObject({ evaluation_failed: true, series: [{ value: null }] });
  });
});
