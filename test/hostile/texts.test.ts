import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { startModelServer } from "@agentcompass/runner/testing";
import { summary } from "@agentcompass/sdk";
import { expect, it } from "vitest";
import { createPlace, type Ended, type Place } from "../options/place.ts";

const TEXTS = [
  "NUL \0 inside",
  "a lone \uD800 high and a lone \uDC00 low surrogate, and a pair \u{1F600}",
  "controls \u0001\u001b[2J\u007f\u0085 and line ends \r\n\u2028\u2029",
  "a mark \uFEFF, right to left \u202E, ``` | # <b>&amp;</b> \\ \" '",
  `long ${"x".repeat(3_000_000)}`,
];

/** Every file of a run, decoded as strict UTF-8. */
async function filesOf(run: Ended): Promise<ReadonlyMap<string, string>> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const entries = await readdir(run.directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(await Promise.all(files.map(async (file) => [file, decoder.decode(await readFile(file))] as const)));
}

async function ask(place: Place, url: string, inputs: readonly string[]): Promise<Ended> {
  const lines = inputs.map((input, index) => JSON.stringify({ id: `t${index + 1}`, input, expected: "x" }));
  const path = await place.write("tasks.jsonl", lines.join("\n"));
  return await place.run({
    benchmark: "jsonl",
    harness: "openai_chat",
    model: "m",
    modelBaseUrl: url,
    modelApiKey: "k",
    benchmarkParams: { path, scorer: "includes" },
  });
}

it("NUL, lone surrogates and controls reach the model and come back as they are; every file stays valid", async () => {
  const place = await createPlace();
  await using server = await startModelServer(({ prompt }) => ({ content: prompt, reasoning_content: prompt }));
  const run = await ask(place, server.url, TEXTS);
  expect(run.status).toBe("completed");
  expect(server.requests.map((request) => request.prompt).sort()).toEqual([...TEXTS].sort());
  for (const [index, text] of TEXTS.entries()) {
    const result = await run.attempt(index + 1);
    expect(result.final_answer).toBe(text);
    expect(JSON.stringify(result.trajectory)).toContain(JSON.stringify(text).slice(1, -1));
  }
  for (const [file, text] of await filesOf(run)) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that none of them is there is what this test is about
    expect([file, /[\0\x1b]/.test(text)]).toEqual([file, false]);
    if (file.endsWith(".json")) expect(() => JSON.parse(text)).not.toThrow();
    if (file.endsWith(".jsonl"))
      for (const line of text.trim().split("\n")) expect(() => JSON.parse(line)).not.toThrow();
  }
  expect((await summary(run.directory)).metrics).toEqual(await run.json("metrics.json"));
});

it("an answer that is no UTF-8 comes with replacement characters", async () => {
  const place = await createPlace();
  const [head, tail] = [
    '{"choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"a',
    'x"}}]}',
  ];
  const body = Buffer.concat([Buffer.from(head), Buffer.from([0xff, 0xc0, 0xed, 0xa0, 0x80]), Buffer.from(tail)]);
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "application/json" }).end(body);
  }).listen(0, "127.0.0.1");
  try {
    await new Promise((resolve) => server.once("listening", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const run = await ask(place, `http://127.0.0.1:${port}/v1`, ["?"]);
    expect([run.status, run.score]).toEqual(["completed", 1]);
    expect((await run.attempt()).final_answer).toMatch(/^a\uFFFD+x$/);
    await filesOf(run);
  } finally {
    server.close();
  }
});
