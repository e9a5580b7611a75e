import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { startModelServer } from "@agentcompass/runner/testing";
import { summary } from "@agentcompass/sdk";
import { expect, it } from "vitest";
import { createScenario } from "../engine/scenario.ts";
import { createPlace, type Ended, refused } from "../options/place.ts";

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

/** What Python's `strip` takes away, as a reader in Python does with an id; a byte order mark it leaves. */
const BLANKS = [
  ...["\t", "\n", "\v", "\f", "\r", "\x1c", "\x1d", "\x1e", "\x1f", " ", "\x85", "\xa0", "\u1680"],
  ...["\u2000", "\u2005", "\u200a", "\u2028", "\u2029", "\u202f", "\u205f", "\u3000"],
];

it.each(BLANKS.map((blank) => [`U+${blank.charCodeAt(0).toString(16).padStart(4, "0")}`, blank]))(
  "a task id with %s at an edge is refused, by the engine for any benchmark",
  async (_name, blank) => {
    const errorOf = async (task_id: string) => {
      const { result } = await createScenario({ tasks: [{ task_id }] }).finish();
      return result.requests["one"]?.error;
    };
    for (const id of [`${blank}a`, `a${blank}`, blank])
      expect(await errorOf(id)).toBe(
        `benchmark 'tasks': task id ${JSON.stringify(id)} is empty or has blanks around it`,
      );
    for (const id of [`a${blank}b`, "\uFEFFa\uFEFF"]) expect(await errorOf(id)).toBe("");
  },
);

it("and by jsonl with its line, before any is run; a byte order mark at an edge is no blank and can be selected", async () => {
  const place = await createPlace();
  await using server = await startModelServer();
  const run = async (id: string) => {
    const path = await place.write("tasks.jsonl", JSON.stringify({ id, input: "?", expected: "1" }));
    const options = { benchmark: "jsonl", harness: "openai_chat", model: "m", modelBaseUrl: server.url };
    return place.run({ ...options, modelApiKey: "k", benchmarkParams: { path, sample_ids: [id] } });
  };
  for (const blank of ["\x1c", "\x85", "\u3000"])
    expect(await refused(run(`a${blank}`))).toContain(
      `tasks.jsonl:1: id ${JSON.stringify(`a${blank}`)} is empty or has blanks around it`,
    );
  expect((await run("\uFEFFa\uFEFF")).status).toBe("completed");
});
