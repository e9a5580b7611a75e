import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sha256 } from "@agentcompass/core";
import { expect, it } from "vitest";
import { answered, loadAsk, noModel, refusal, temporaryFolder } from "../../testing/asks.ts";
import { jsonl } from "./jsonl.ts";

const session = {} as never;
const { signal, log } = loadAsk();

async function load(text: string | Uint8Array, params: Record<string, unknown> = {}) {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "tasks.jsonl");
  await writeFile(path, text);
  return { path, loaded: await jsonl.doLoad(loadAsk({ params: { path, ...params } })) };
}

async function refused(text: string | Uint8Array, params: Record<string, unknown> = {}) {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "tasks.jsonl");
  await writeFile(path, text);
  const error = await refusal(jsonl.doLoad(loadAsk({ params: { path, ...params } })));
  return { code: error.code, message: error.message.replaceAll(folder.path, "") };
}

const line = (value: unknown) => `${JSON.stringify(value)}\n`;

it("reads ids, texts, expectations and categories, and names the file's checksum", async () => {
  const text =
    line({ id: "sum", input: " 1 + 1? ", expected: "2", category: "math" }) + line({ input: "2 + 2?", expected: 4 });
  const { path, loaded } = await load(text, { scorer: "numeric" });
  expect(loaded.tasks.map(({ task_id, category, ground_truth }) => [task_id, category, ground_truth])).toEqual([
    ["sum", "math", "2"],
    ["line-2", null, 4],
  ]);
  expect(loaded.provenance).toEqual({ source: path, checksum: `sha256:${sha256(text)}`, tasks_available: 2 });
  expect(loaded.warnings).toEqual([]);
  const task = loaded.tasks[0]!;
  const prepared = await jsonl.doPrepare({ task, params: {}, session, signal, log });
  expect(prepared.input.prompt).toBe(" 1 + 1? ");
});

it("hands messages on as JSON text in Python's form", async () => {
  const messages = [
    { role: "system", content: "Be brief" },
    { role: "user", content: "naïve?" },
  ];
  const { loaded } = await load(line({ input: messages, expected: "yes" }));
  const prepared = await jsonl.doPrepare({ task: loaded.tasks[0]!, params: {}, session, signal, log });
  expect(prepared.input.prompt).toBe(
    String.raw`[{"role": "system", "content": "Be brief"}, {"role": "user", "content": "na\u00efve?"}]`,
  );
  expect(prepared.input.messages).toEqual(messages);
});

it("tolerates a byte order mark, CRLF, blank lines and a missing last line end", async () => {
  const { loaded } = await load('\ufeff{"input":"a","expected":"b"}\r\n\r\n  \n{"input":"c","expected":"d"}');
  expect(loaded.tasks.map((task) => task.task_id)).toEqual(["line-1", "line-4"]);
});

it("applies the common selection", async () => {
  const text = ["a", "b", "c"].map((id) => line({ id, input: "x", expected: "y" })).join("");
  const { loaded } = await load(text, { limit: 2 });
  expect(loaded.tasks.map((task) => task.task_id)).toEqual(["a", "b"]);
  expect(loaded.provenance.tasks_available).toBe(3);
});

it("says once which fields of a line play no part", async () => {
  const { loaded } = await load(
    line({ input: "x", expected: "y", note: 1 }) + line({ input: "x", expected: "y", note: 2 }),
  );
  expect(loaded.warnings).toHaveLength(1);
  expect(loaded.warnings[0]).toContain("note");
});

it.each([
  ["not JSON", '{"input":"a","expected":"b"}\n{oops\n', "/tasks.jsonl:2: not JSON"],
  ["not an object", "[1]\n", "/tasks.jsonl:1: must be a JSON object"],
  ["no input", line({ expected: "y" }), "/tasks.jsonl:1: input is missing"],
  ["an empty input", line({ input: " ", expected: "y" }), "/tasks.jsonl:1: input must be a text or a list"],
  ["an unknown role", line({ input: [{ role: "robot", content: "x" }], expected: "y" }), "input must be a text"],
  ["no expectation", line({ input: "x" }), "/tasks.jsonl:1: expected is missing"],
  ["an empty expectation", line({ input: "x", expected: "" }), "/tasks.jsonl:1: expected: an empty expectation"],
  ["a list as id", line({ id: [1], input: "x", expected: "y" }), "/tasks.jsonl:1: id must be a text or a whole number"],
  ["a number as category", line({ input: "x", expected: "y", category: 3 }), "/tasks.jsonl:1: category must be a text"],
  ["an id used twice", line({ id: 1, input: "x", expected: "y" }).repeat(2), '/tasks.jsonl:2: id "1" was already used'],
])("refuses a line with %s, naming file and line", async (_case, text, message) => {
  const error = await refused(text);
  expect(error.code).toBe("benchmark.data_invalid");
  expect(error.message).toContain(message);
  expect(error.message).not.toContain("\n");
});

it("refuses text that is not UTF-8, with the line", async () => {
  const bytes = Buffer.concat([Buffer.from('{"input":"a","expected":"b"}\n'), Buffer.from([0x22, 0xff, 0x22])]);
  expect(await refused(bytes)).toEqual({
    code: "benchmark.data_invalid",
    message: "/tasks.jsonl:2: not UTF-8; save the file as UTF-8",
  });
});

it("refuses a file without tasks", async () => {
  expect((await refused("\n\n")).code).toBe("benchmark.empty");
});

it("refuses a missing path, an absent file, a folder and an unknown scorer by name", async () => {
  await using folder = await temporaryFolder();
  const load = (params: Record<string, unknown>) => refusal(jsonl.doLoad(loadAsk({ params })));
  expect((await load({})).message).toContain("benchmark.path: needed");
  const absent = await load({ path: join(folder.path, "absent.jsonl") });
  expect([absent.code, absent.message.includes("absent.jsonl")]).toEqual(["benchmark.data_missing", true]);
  await mkdir(join(folder.path, "folder"));
  expect((await load({ path: join(folder.path, "folder") })).code).toBe("file.unreadable");
  expect((await load({ path: "x", scorer: "best" })).message).toContain("benchmark.scorer");
});

it("scores an answer by the chosen scorer, and its reference answer as correct", async () => {
  const params = { path: "tasks.jsonl", scorer: "numeric" };
  const { loaded } = await load(line({ input: "1 + 1?", expected: 2 }), { scorer: "numeric" });
  const task = loaded.tasks[0]!;
  const prepared = await jsonl.doPrepare({ task, params, session, signal, log });
  const score = async (answer: unknown) =>
    (
      await jsonl.doEvaluate({
        task,
        params,
        prepared,
        run: answered(answer),
        session: undefined,
        connectModel: noModel,
        signal,
        log,
      })
    ).metrics;
  const reference = await jsonl.doSolve?.({ task, params, prepared, session, signal, log });
  expect(await score(reference)).toEqual({ correct: true });
  expect(await score("it is 3")).toEqual({ correct: false });
  expect(await score(null)).toEqual({ correct: false });
  expect(await score({ result: 2 })).toEqual({ correct: true });
});

it("has no reference answer for a pattern that does not match itself", async () => {
  const params = { path: "tasks.jsonl", scorer: "regex" };
  const { loaded } = await load(line({ input: "x", expected: "^\\d+$" }), { scorer: "regex" });
  const task = loaded.tasks[0]!;
  const prepared = await jsonl.doPrepare({ task, params, session, signal, log });
  await expect(jsonl.doSolve?.({ task, params, prepared, session, signal, log })).rejects.toMatchObject({
    code: "reference_missing",
    severity: "error",
  });
});
