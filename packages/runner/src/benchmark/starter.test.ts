import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, it, vi } from "vitest";
import { answered, loadAsk, noModel, placeLike } from "../../testing/asks.ts";
import { openHost } from "../../testing/host-session.ts";
import { createStarterBenchmark, starterFolder } from "./starter.ts";

// Real processes start here, which a busy machine delays.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const NAMES = [
  "checksums",
  "csv-to-json",
  "fix-median",
  "league-table",
  "log-report",
  "merge-configs",
  "rename-photos",
  "repair-json",
  "roman-numerals",
  "rotate-script",
  "undo-bad-edit",
  "word-count-script",
];
const starter = createStarterBenchmark();
let tasks: Awaited<ReturnType<typeof starter.doLoad>>["tasks"] = [];

beforeAll(async () => {
  tasks = (await starter.doLoad(loadAsk())).tasks;
});

async function attempt(name: string, act: "nothing" | "solve" | "empty"): Promise<unknown> {
  await using host = await openHost();
  const { signal, log } = loadAsk();
  const task = tasks.find((candidate) => candidate.task_id === name)!;
  const ask = { task, params: {}, session: host.session, signal, log };
  const prepared = await starter.doPrepare(ask);
  if (act === "solve") await starter.doSolve?.({ ...ask, prepared });
  if (act === "empty") await emptyOutputs(prepared.input.prompt, (file) => host.session.writeText(file, ""));
  const { metrics, issues } = await starter.doEvaluate({
    ...ask,
    prepared,
    run: answered(null),
    connectModel: noModel,
  });
  expect(issues ?? []).toEqual([]);
  return metrics["correct"];
}

/** Makes every file that the instruction names, with nothing in it. */
async function emptyOutputs(prompt: string, make: (file: string) => Promise<void>): Promise<void> {
  const named = [...prompt.matchAll(/`([\w./-]+\.\w+|SHA256SUMS)`/g)].map((match) => match[1]!);
  for (const file of new Set(named)) await make(file);
}

it("has twelve tasks of three categories, loaded without a warning", async () => {
  const loaded = await starter.doLoad(loadAsk());
  expect(loaded.tasks.map((task) => task.task_id)).toEqual(NAMES);
  expect(new Set(loaded.tasks.map((task) => task.category))).toEqual(new Set(["files", "code", "data"]));
  expect(loaded.warnings).toEqual([]);
  expect(loaded.provenance.source).toBe(await starterFolder());
});

it("names an image for environments that have one", async () => {
  const loaded = await starter.doLoad(loadAsk({ environment: placeLike({ id: "docker", ownsFilesystem: true }) }));
  expect(loaded.tasks.every((task) => task.environment_setup?.image === "node:20-slim")).toBe(true);
});

it("has all that a Harbor task needs in every folder", async () => {
  for (const name of await readdir(await starterFolder()))
    expect(await readdir(join(await starterFolder(), name))).toEqual(
      expect.arrayContaining(["instruction.md", "solution", "task.toml", "tests"]),
    );
});

it.each(NAMES)(
  "%s is wrong when nothing is done, wrong with empty files, and right with the reference",
  async (name) => {
    expect(await attempt(name, "nothing")).toBe(false);
    expect(await attempt(name, "empty")).toBe(false);
    expect(await attempt(name, "solve")).toBe(true);
  },
);
