import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LogRecord } from "@agentcompass/core/port";
import { afterEach, beforeEach, expect, it } from "vitest";
import { sweepDeadSessions } from "./dead-sessions.ts";
import { markedProcesses, SESSION_VARIABLE } from "./process-tree.ts";
import { isOwnerDead, readOwner, type SessionOwner, thisProcess, writeOwner } from "./session-owner.ts";

const IDS = ["11111111", "22222222", "33333333"].map((start) => `${start}-0000-4000-8000-000000000000`);
let place: string;
let logged: LogRecord[];
const children: ChildProcess[] = [];

beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), "agentcompass-test-"));
  logged = [];
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await rm(place, { recursive: true, force: true });
});

const sweep = (): Promise<void> => sweepDeadSessions(place, (record) => logged.push(record));

async function makeSession(owner: Partial<SessionOwner> | undefined, id = IDS[0] ?? ""): Promise<string> {
  const root = join(place, `agentcompass-bench-1-${id}`);
  await mkdir(join(root, "work"), { recursive: true });
  await writeFile(join(root, "work", "file"), "kept");
  if (owner) await writeOwner(root, { ...thisProcess(id), ...owner });
  return root;
}

async function endedProcess(): Promise<number> {
  const child = spawn("true");
  await new Promise((resolve) => child.once("close", resolve));
  return child.pid ?? 0;
}

function startMarked(session: string): number {
  const env = { PATH: process.env["PATH"] ?? "", [SESSION_VARIABLE]: session };
  const child = spawn("sleep", ["60"], { env, stdio: "ignore" });
  children.push(child);
  return child.pid ?? 0;
}

it("removes the directory of a session whose process is gone, and ends its processes", async () => {
  const root = await makeSession({ pid: await endedProcess() });
  const pid = startMarked(IDS[0] ?? "");
  await sweep();
  expect(existsSync(root)).toBe(false);
  expect(markedProcesses({ marker: "none=none", roots: [pid] })).toEqual([]);
  expect(logged.map((record) => record.message)).toEqual([expect.stringContaining(`removed ${root}, left by a run`)]);
});

it("knows a process from a later one with the same number", async () => {
  const root = await makeSession({ started: "1" });
  await sweep();
  expect(existsSync(root)).toBe(false);
});

it.each<{ case: string; owner: () => Promise<Partial<SessionOwner> | undefined> }>([
  { case: "that this process owns", owner: async () => ({}) },
  {
    case: "that another living process owns",
    owner: async () => ({ ...thisProcess("x"), pid: process.ppid, started: "" }),
  },
  { case: "of another machine or container", owner: async () => ({ pid: await endedProcess(), machine: "elsewhere" }) },
  { case: "that nobody has signed", owner: async () => undefined },
])("leaves a session alone $case", async ({ owner }) => {
  const root = await makeSession(await owner());
  const pid = startMarked(IDS[0] ?? "");
  await sweep();
  expect(existsSync(join(root, "work", "file"))).toBe(true);
  expect(markedProcesses({ marker: "none=none", roots: [pid] })).toEqual([pid]);
  expect(logged).toEqual([]);
});

it("leaves alone what only has the name, and what has another name", async () => {
  await writeFile(join(place, `agentcompass-a-${IDS[1]}`), "a file");
  const other = join(place, "agentcompass-notes");
  await mkdir(other);
  await writeOwner(other, { ...thisProcess("x"), pid: await endedProcess() });
  await sweep();
  expect(existsSync(join(place, `agentcompass-a-${IDS[1]}`))).toBe(true);
  expect(existsSync(other)).toBe(true);
});

it("judges an owner that it cannot read as alive", async () => {
  const root = await makeSession(undefined, IDS[2]);
  await writeFile(join(root, "owner.json"), "{ not json");
  expect(await readOwner(root)).toBeUndefined();
  expect(isOwnerDead(thisProcess("x"))).toBe(false);
  await sweep();
  expect(existsSync(root)).toBe(true);
});
