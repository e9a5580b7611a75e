import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { sha256 } from "@agentcompass/core";
import { expect, it } from "vitest";
import { answered, loadAsk, noModel, refusal, temporaryFolder } from "../../testing/asks.ts";
import { createGsm8kBenchmark } from "./gsm8k.ts";
import { GSM8K_TEST } from "./gsm8k-source.ts";

const FILE = [
  { question: "What is 2 + 3?", answer: "It is 2+3=<<2+3=5>>5.\n#### 5" },
  { question: "And 1000 + 200?", answer: "Add them.\n#### 1,200" },
]
  .map((row) => `${JSON.stringify(row)}\n`)
  .join("");
const source = { address: "http://127.0.0.1:9/test.jsonl", sha256: sha256(FILE), bytes: Buffer.byteLength(FILE) };

async function place(text: string, dataDir: string): Promise<void> {
  await mkdir(join(dataDir, "gsm8k"), { recursive: true });
  await writeFile(join(dataDir, "gsm8k", "test.jsonl"), text);
}

async function serve(status: number, body: string): Promise<AsyncDisposable & { readonly address: string }> {
  const server = createServer((_request, response) => response.writeHead(status).end(body));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/test.jsonl`,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

it("reads the file of the data directory and scores by the last number", async () => {
  await using folder = await temporaryFolder();
  await place(FILE, folder.path);
  const benchmark = createGsm8kBenchmark(source);
  const loaded = await benchmark.doLoad(loadAsk({ dataDir: folder.path }));
  expect(loaded.tasks.map(({ task_id, ground_truth }) => [task_id, ground_truth])).toEqual([
    ["gsm8k_1", "5"],
    ["gsm8k_2", "1,200"],
  ]);
  expect(loaded.provenance.checksum).toBe(`sha256:${source.sha256}`);
  expect(loaded.warnings).toEqual([]);
  const { signal, log } = loadAsk();
  const ask = { task: loaded.tasks[1]!, params: {}, session: {} as never, signal, log };
  const prepared = await benchmark.doPrepare(ask);
  expect(prepared.input.prompt).toContain("And 1000 + 200?");
  const score = async (answer: unknown) =>
    (await benchmark.doEvaluate({ ...ask, prepared, run: answered(answer), session: undefined, connectModel: noModel }))
      .metrics["correct"];
  expect(await score(await benchmark.doSolve?.({ ...ask, prepared }))).toBe(true);
  expect(await score("Answer: $1200.00")).toBe(true);
  expect(await score("Answer: 1201")).toBe(false);
  expect(await score(null)).toBe(false);
});

it("says when the file is not the published one", async () => {
  await using folder = await temporaryFolder();
  await place(FILE, folder.path);
  const loaded = await createGsm8kBenchmark(GSM8K_TEST).doLoad(loadAsk({ dataDir: folder.path }));
  expect(loaded.warnings[0]).toContain("not the published GSM8K test set");
});

it.each([
  ["without an answer", '{"question":"x"}\n', ":1: question and answer must be texts"],
  ["whose answer has no number", '{"question":"x","answer":"so\\n#### none"}\n', ":1: answer does not end in ####"],
  ["whose answer has no mark", '{"question":"x","answer":"5"}\n', ":1: answer does not end in ####"],
])("refuses a line %s", async (_case, text, message) => {
  await using folder = await temporaryFolder();
  await place(text, folder.path);
  const error = await refusal(createGsm8kBenchmark(source).doLoad(loadAsk({ dataDir: folder.path })));
  expect(error.code).toBe("benchmark.data_invalid");
  expect(error.message).toContain(`test.jsonl${message}`);
});

it("downloads an absent file once, saying address and size first", async () => {
  await using folder = await temporaryFolder();
  await using server = await serve(200, FILE);
  const benchmark = createGsm8kBenchmark({ ...source, address: server.address });
  const ask = loadAsk({ dataDir: folder.path });
  expect((await benchmark.doLoad(ask)).tasks).toHaveLength(2);
  expect(ask.logged).toHaveLength(1);
  expect(ask.logged[0]).toMatchObject({ level: "INFO", source: "benchmark" });
  expect(ask.logged[0]?.message).toContain(`${server.address} (${source.bytes} bytes)`);
  expect(await readFile(join(folder.path, "gsm8k", "test.jsonl"), "utf8")).toBe(FILE);
  const again = loadAsk({ dataDir: folder.path });
  await benchmark.doLoad(again);
  expect(again.logged).toEqual([]);
});

it.each([
  ["a status of failure", 404, "not here", "status 404"],
  ["other content", 200, FILE.replace("2 + 3", "2 + 4"), "not the expected"],
  ["more than expected", 200, FILE + FILE, "larger than the expected"],
])("leaves no file when the server answers with %s", async (_case, status, body, reason) => {
  await using folder = await temporaryFolder();
  await using server = await serve(status, body);
  const benchmark = createGsm8kBenchmark({ ...source, address: server.address });
  const error = await refusal(benchmark.doLoad(loadAsk({ dataDir: folder.path })));
  expect(error.code).toBe("benchmark.data_missing");
  for (const part of [join(folder.path, "gsm8k", "test.jsonl"), server.address, reason, "place it there"])
    expect(error.message).toContain(part);
  const left = await readdir(join(folder.path, "gsm8k")).catch(() => []);
  expect(left).toEqual([]);
});

it("names path, address and the way out when there is no network", async () => {
  await using folder = await temporaryFolder();
  const server = await serve(200, FILE);
  await server[Symbol.asyncDispose]();
  const benchmark = createGsm8kBenchmark({ ...source, address: server.address });
  const error = await refusal(benchmark.doLoad(loadAsk({ dataDir: folder.path })));
  expect(error.code).toBe("benchmark.data_missing");
  expect(error.message).toContain("ECONNREFUSED");
});

it("ends a download when the run is cancelled", async () => {
  await using folder = await temporaryFolder();
  await using server = await serve(200, FILE);
  const stopped = AbortSignal.abort(new Error("cancelled"));
  const benchmark = createGsm8kBenchmark({ ...source, address: server.address });
  await expect(benchmark.doLoad(loadAsk({ dataDir: folder.path, signal: stopped }))).rejects.toThrow("cancelled");
});
