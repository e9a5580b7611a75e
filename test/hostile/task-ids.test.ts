import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { startModelServer } from "@agentcompass/runner/testing";
import { summary } from "@agentcompass/sdk";
import { expect, it } from "vitest";
import { createPlace, type Ended } from "../options/place.ts";

const IDS = [
  ...["a+b", "a b", "a/b", "a:b", "a\\b", "a_b", "a__b"],
  ...["模型a", "数据a", "é", "e\u0301", "\u{1F600}", "\u{1F601}"],
  ...["..", ".", "...", "../../etc/passwd", "/etc/passwd", "~", "-rf", "--help", "*", "con", "NUL", "result.json"],
  ...["Task", "task", "TASK", "İ", "i", "ß", "ss"],
  ...["x\0y", "x\ny", "\u202Ex", "\uD800", "\uD801", "{}", "$(id)", "`id`", "%2e%2e", "__proto__", "constructor"],
  ...["n".repeat(300), `${"n".repeat(299)}m`, "数".repeat(300)],
];

/** Folder and answer of every stored task, by its id. */
async function resultsOf(run: Ended): Promise<ReadonlyMap<string, { folder: string; answer: unknown }>> {
  const details = join(run.directory, "details");
  const files = (await readdir(details, { recursive: true })).filter((name) => name.endsWith("/task.json"));
  const entries = files.map(async (name) => {
    const folder = dirname(name);
    const { task_id } = JSON.parse(await readFile(join(details, name), "utf8"));
    const result = JSON.parse(await readFile(join(details, folder, "attempt-1", "result.json"), "utf8"));
    return [task_id, { folder: basename(folder), answer: result.final_answer }] as const;
  });
  return new Map(await Promise.all(entries));
}

it("task ids that look alike, leave their place or are longer than a name stay distinct and whole, also when reused", async () => {
  const place = await createPlace();
  const path = await place.write(
    "tasks.jsonl",
    IDS.map((id, index) =>
      JSON.stringify({ id, input: `${index}`, expected: `<${index}>`, category: `c${index % 3}` }),
    ).join("\n"),
  );
  await using server = await startModelServer(({ prompt }) => ({ content: Number(prompt) % 2 ? `<${prompt}>` : "no" }));
  const options = {
    ...{ benchmark: "jsonl", harness: "openai_chat", model: "m", modelBaseUrl: server.url, modelApiKey: "k" },
    benchmarkParams: { path, scorer: "includes" },
  };
  const first = await place.run({ ...options, runId: "first" });
  expect(first.status).toBe("completed");
  expect(first.score).toBe(Math.floor(IDS.length / 2) / IDS.length);

  const results = await resultsOf(first);
  expect([...results.keys()].sort()).toEqual([...IDS].sort());
  for (const [index, id] of IDS.entries()) expect(results.get(id)?.answer).toBe(index % 2 ? `<${index}>` : "no");
  const folders = [...results.values()].map((result) => result.folder);
  expect(new Set(folders.map((name) => name.normalize("NFC").toLowerCase())).size).toBe(IDS.length);
  for (const name of folders) {
    expect(name).toMatch(/^[\w.=-]+$/);
    expect(name.length).toBeLessThanOrEqual(255);
  }
  expect(await readdir(place.path)).not.toContain("etc");

  const metrics = await first.json("metrics.json");
  expect((await summary(first.directory)).metrics).toEqual(metrics);
  const asked = server.requests.length;
  const second = await place.run({ ...options, runId: "second", reuse: true, reuseRunId: "first" });
  expect([second.status, second.score]).toEqual(["completed", first.score]);
  expect(server.requests.length).toBe(asked);
  expect(await resultsOf(second)).toEqual(results);
  expect((await second.json("metrics.json")).series).toEqual(metrics.series);
});
