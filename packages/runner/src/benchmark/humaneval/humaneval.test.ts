import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { sha256 } from "@agentcompass/core";
import { expect, it } from "vitest";
import { loadAsk, refusal, temporaryFolder } from "../../../testing/asks.ts";
import { openHost } from "../../../testing/host-session.ts";
import { PROBLEMS, PROBLEMS_TEXT } from "../../../testing/humaneval-problems.ts";
import { score, taskOf } from "../../../testing/humaneval-score.ts";
import { createHumanEvalBenchmark } from "./index.ts";

const PACKED = gzipSync(PROBLEMS_TEXT);
const source = {
  address: "http://127.0.0.1:9/HumanEval.jsonl.gz",
  sha256: sha256(PACKED),
  bytes: PACKED.length,
  contentSha256: sha256(PROBLEMS_TEXT),
};
const openSession = async () => (await openHost()).session;

async function place(name: string, bytes: string | Uint8Array, dataDir: string): Promise<void> {
  await mkdir(join(dataDir, "humaneval"), { recursive: true });
  await writeFile(join(dataDir, "humaneval", name), bytes);
}

it.each([
  ["HumanEval.jsonl.gz", PACKED, source.sha256],
  ["HumanEval.jsonl", PROBLEMS_TEXT, source.contentSha256],
])("reads %s of the data directory", async (name, bytes, checksum) => {
  await using folder = await temporaryFolder();
  await place(name, bytes, folder.path);
  const loaded = await createHumanEvalBenchmark(source).doLoad(loadAsk({ dataDir: folder.path, openSession }));
  expect(loaded.tasks.map((task) => task.task_id)).toEqual(PROBLEMS.map((problem) => problem.task_id));
  expect(loaded.provenance).toEqual({
    source: join(folder.path, "humaneval", name),
    checksum: `sha256:${checksum}`,
    tasks_available: PROBLEMS.length,
  });
  expect(loaded.warnings).toEqual([]);
});

it("says when the file is not the published one", async () => {
  await using folder = await temporaryFolder();
  await place("HumanEval.jsonl.gz", PACKED, folder.path);
  const loaded = await createHumanEvalBenchmark().doLoad(loadAsk({ dataDir: folder.path, openSession }));
  expect(loaded.warnings[0]).toContain("not the published HumanEval");
});

it("downloads an absent file once, saying address and size first", async () => {
  await using folder = await temporaryFolder();
  const server = createServer((_request, response) => response.end(PACKED));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/HumanEval.jsonl.gz`;
  const ask = loadAsk({ dataDir: folder.path, openSession });
  const loaded = await createHumanEvalBenchmark({ ...source, address }).doLoad(ask);
  server.close();
  expect(loaded.tasks).toHaveLength(PROBLEMS.length);
  expect(ask.logged[0]?.message).toContain(`${address} (${source.bytes} bytes)`);
  expect(await readFile(join(folder.path, "humaneval", "HumanEval.jsonl.gz"))).toEqual(PACKED);
});

const LINE = PROBLEMS[0]!;
it.each([
  ["a field is missing", { ...LINE, test: undefined }, "test must be a text"],
  ["the tests define no check", { ...LINE, test: "assert True" }, "test must define check(candidate)"],
  ["the prompt defines another function", { ...LINE, entry_point: "clamps" }, "prompt does not define clamps"],
  ["the function has no name", { ...LINE, entry_point: "a b" }, "entry_point must be the name of a function"],
])("refuses a line in which %s", async (_case, value, message) => {
  await using folder = await temporaryFolder();
  await place("HumanEval.jsonl", `${JSON.stringify(value)}\n`, folder.path);
  const error = await refusal(createHumanEvalBenchmark(source).doLoad(loadAsk({ dataDir: folder.path, openSession })));
  expect(error.code).toBe("benchmark.data_invalid");
  expect(error.message).toContain(`HumanEval.jsonl:1: ${message}`);
});

it("refuses a file that is cut off", async () => {
  await using folder = await temporaryFolder();
  await place("HumanEval.jsonl.gz", PACKED.subarray(0, 200), folder.path);
  const error = await refusal(createHumanEvalBenchmark(source).doLoad(loadAsk({ dataDir: folder.path, openSession })));
  expect(error.message).toContain("HumanEval.jsonl.gz: not whole gzip data");
});

it.each([
  ["python-of-another-day", "is not there"],
  ["/bin/sh", "does not run as Python (exit status"],
  ["true", "does not run as Python (exit status 0)"],
])("refuses to load with the Python %s, in one line", async (python, reason) => {
  await using folder = await temporaryFolder();
  await place("HumanEval.jsonl", PROBLEMS_TEXT, folder.path);
  const ask = loadAsk({ dataDir: folder.path, openSession, params: { python } });
  const error = await refusal(createHumanEvalBenchmark(source).doLoad(ask));
  expect([error.code, error.exitCode]).toEqual(["component.invalid", 2]);
  expect(error.message).toContain(`benchmark.python: '${python}' ${reason}`);
  expect(error.message).toContain("in environment 'host_process'");
  expect(error.message).not.toContain("\n");
});

it.each(PROBLEMS.map((problem) => problem.task_id))(
  "passes the reference of %s, whole and as a body, and nothing empty",
  { timeout: 30_000 },
  async (id) => {
    await using host = await openHost();
    const task = taskOf(id);
    const whole = await createHumanEvalBenchmark().doSolve?.({ task } as never);
    expect(await score(host.session, task, whole)).toEqual({ metrics: { correct: true }, meta: {} });
    expect((await score(host.session, task, String(task.ground_truth).trim())).metrics).toEqual({ correct: true });
    expect((await score(host.session, task, `\`\`\`python\n${whole}\n\`\`\``)).metrics).toEqual({ correct: true });
    expect((await score(host.session, task, "    pass")).metrics).toEqual({ correct: false });
    expect((await score(host.session, task, " ")).metrics).toEqual({ correct: false });
    expect((await score(host.session, task, null)).metrics).toEqual({ correct: false });
  },
);

it("says which test does not hold", async () => {
  await using host = await openHost();
  const { meta } = await score(host.session, taskOf("Own/share"), "    return 1\n");
  expect(meta?.["reason"]).toBe("a test does not hold");
});

it("runs no code below a check for __main__, and dataclasses and annotations of the future", async () => {
  await using host = await openHost();
  const code = [
    "from __future__ import annotations",
    "from dataclasses import dataclass",
    "@dataclass",
    "class Range:",
    "    low: int",
    "    high: int",
    "def clamp(value, low, high):",
    "    r = Range(low, high)",
    "    return max(r.low, min(value, r.high))",
    "if __name__ == '__main__':",
    "    raise SystemExit(input())",
  ].join("\n");
  expect((await score(host.session, taskOf("Own/clamp"), code)).metrics).toEqual({ correct: true });
});

it("fails the evaluation, not the candidate, when Python is gone by then", async () => {
  await using host = await openHost();
  await expect(score(host.session, taskOf("Own/clamp"), "    pass", { python: "no-python" })).rejects.toMatchObject({
    severity: "fatal",
    code: "evaluate_failed",
  });
});

it("asks for a fenced function and shows the prompt", async () => {
  const prepared = await createHumanEvalBenchmark().doPrepare({ task: taskOf("Own/clamp") } as never);
  expect(prepared.input.prompt).toContain("`clamp`");
  expect(prepared.input.prompt).toContain("```python\ndef clamp(value: int");
});
