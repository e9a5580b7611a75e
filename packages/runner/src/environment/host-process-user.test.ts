import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { EnvironmentSession, OpenAsk } from "@agentcompass/core/plugin";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openAsk } from "../../testing/environment-suite.ts";
import { hostProcess } from "./host-process.ts";
import { markedProcesses } from "./process-tree.ts";
import { releaseSessionUser, takeSessionUser } from "./session-user.ts";

let sessions: EnvironmentSession[] = [];
let local: string;

beforeEach(async () => {
  local = await mkdtemp(join(tmpdir(), "agentcompass-test-"));
});

afterEach(async () => {
  for (const session of sessions) await session.close();
  sessions = [];
  await rm(local, { recursive: true, force: true });
});

async function open(over: Partial<OpenAsk> = {}): Promise<EnvironmentSession> {
  const session = await hostProcess.doOpen(openAsk(over));
  sessions.push(session);
  return session;
}

const isAlive = (pid: number): boolean => markedProcesses({ marker: "none=none", roots: [pid] }).includes(pid);

/** Starts a process that leaves its session, its parents and its environment behind, and gives its number. */
async function startEscaped(session: EnvironmentSession): Promise<number> {
  await session.writeText("escape.sh", "trap '' TERM; echo $$ > pid; while :; do sleep 1; done");
  await session.exec({ command: "(setsid env -i PATH=$PATH /bin/sh escape.sh > /dev/null 2>&1 &)" });
  for (let look = 0; look < 200; look += 1) {
    const pid = Number(await session.readText("pid"));
    if (pid > 0) return pid;
    await session.exec({ command: "sleep 0.02" });
  }
  throw new Error("the process did not start");
}

function asRoot(): void {
  it("says when a workdir lets nobody but root in, and works there as root", async () => {
    await mkdir(join(local, "mine"), { mode: 0o700 });
    const lines: string[] = [];
    const session = await open({ setup: { workdir: join(local, "mine") }, log: (line) => lines.push(line.message) });
    expect((await session.exec({ command: "id -u; touch file" })).stdout).toBe("0\n");
    expect(lines).toEqual([expect.stringContaining("commands run as root")]);
  });

  it("hides the caller and other sessions from commands", async () => {
    await writeFile(join(local, "secret"), "canary", { mode: 0o600 });
    const [first, second] = [await open(), await open()];
    await first.writeText("answer", "42");
    const result = await second.exec({
      command: `id -u; id -G; cat ${local}/secret ${first.workdir}/answer /proc/${process.pid}/environ; ls ${first.workdir}; rm -rf ${dirname(second.workdir)}`,
    });
    const [uid, groups, ...more] = result.stdout.trim().split("\n");
    expect(more).toEqual([]);
    expect(Number(uid)).toBeGreaterThanOrEqual(61_184);
    expect(groups).toBe(uid);
    expect(existsSync(dirname(second.workdir))).toBe(true);
    const pid = await startEscaped(second);
    await first.exec({ command: "kill -9 -1" });
    expect(isAlive(pid)).toBe(true);
  });

  it("ends processes that left everything behind at close", async () => {
    const session = await open();
    const pid = await startEscaped(session);
    expect(isAlive(pid)).toBe(true);
    await session.close();
    expect(isAlive(pid)).toBe(false);
  });

  it("bounds the processes of a session at 4096, or where the spec says", async () => {
    const limit = "while read a b c rest; do [ \"$a $b\" = 'Max processes' ] && echo $c; done < /proc/self/limits";
    expect((await (await open()).exec({ command: limit })).stdout).toBe("4096\n");
    const given = await open({ params: { max_processes: 40 } });
    expect((await given.exec({ command: limit })).stdout).toBe("40\n");
    expect((await given.exec({ command: ["printf", "%s|", "a b", ""] })).stdout).toBe("a b||");
    const many = await given.exec({
      command: "for i in $(seq 100); do sleep 20 & done; echo unreached",
      timeoutMs: 1000,
    });
    expect(many.stderr).toMatch(/fork/i);
  });

  it("takes no user that another run of this machine has", () => {
    const free = 61_200;
    const others = new Set(Array.from({ length: 65_519 - 61_184 + 1 }, (_, index) => 61_184 + index));
    others.delete(free);
    const user = takeSessionUser(others);
    expect(user).toEqual({ uid: free, gid: free });
    expect(() => takeSessionUser(others)).toThrow("all 4336 users of sessions are taken");
    releaseSessionUser(user);
  });

  it("does not run as another run's user: its directory tells", async () => {
    const other = await open();
    const { stdout } = await other.exec({ command: "id -u" });
    releaseSessionUser({ uid: Number(stdout), gid: Number(stdout) });
    const uids = new Set<string>([stdout]);
    for (let index = 0; index < 20; index += 1) uids.add((await (await open()).exec({ command: "id -u" })).stdout);
    expect(uids.size).toBe(21);
  });
}

function asOrdinaryUser(): void {
  it("runs commands as that user, also in a workdir that lets nobody else in", async () => {
    await mkdir(join(local, "mine"), { mode: 0o700 });
    const lines: string[] = [];
    const session = await open({ setup: { workdir: join(local, "mine") }, log: (line) => lines.push(line.message) });
    expect((await session.exec({ command: "id -u; touch file" })).stdout).toBe(`${process.getuid?.()}\n`);
    expect(lines).toEqual([]);
  });

  it("keeps the environment of commands and their directory free of the caller's secrets", async () => {
    process.env["CALLER_CANARY"] = "canary-91";
    try {
      const session = await open();
      const { stdout } = await session.exec({ command: "env; find .. -type f -exec cat {} +" });
      expect(stdout).toContain("HOME=");
      expect(stdout).not.toContain("canary-91");
    } finally {
      delete process.env["CALLER_CANARY"];
    }
  });

  it("ends processes that left their session and their environment, but not the directory, at close", async () => {
    const session = await open();
    const pid = await startEscaped(session);
    expect(isAlive(pid)).toBe(true);
    await session.close();
    expect(isAlive(pid)).toBe(false);
  });

  it("leaves the caller's own limit of processes, or lowers it where the spec says", async () => {
    const limit = "while read a b c rest; do [ \"$a $b\" = 'Max processes' ] && echo $c; done < /proc/self/limits";
    const own = await open();
    const given = await open({ params: { max_processes: 20_000 } });
    const before = (await own.exec({ command: limit })).stdout.trim();
    const lowered = (await given.exec({ command: limit })).stdout.trim();
    expect(lowered).toBe(before === "unlimited" || Number(before) > 20_000 ? "20000" : before);
  });
}

const isRoot = process.getuid?.() === 0;
describe(isRoot ? "host_process as root" : "host_process as an ordinary user", isRoot ? asRoot : asOrdinaryUser);

describe("host_process keeps what a session holds", () => {
  it("with names that are not UTF-8, hold line breaks, or start with a dash", async () => {
    const session = await open();
    const names = String.raw`'\0377\0376' 'a\nb' '-rf' '--' '\0355\0240\0200' ' ' '*' '\0134' '\0342\0200\0256x'`;
    const made = await session.exec({
      command: `mkdir tree; cd tree; for n in ${names}; do : > "./$(printf %b "$n")"; done; d="./$(printf 'd\\377')"; mkdir "$d"; echo in > "$d/file"; cd ..; ls -1b tree | sort > names`,
    });
    expect(made.stderr).toBe("");
    const listed = await session.readText("names");
    await session.download("tree", join(local, "down"));
    await session.upload(join(local, "down"), "again");
    await session.exec({ command: "ls -1b again | sort > names-again; cat again/d*/file > inner; chmod 0 again/d*" });
    expect(listed?.split("\n")).toHaveLength(11);
    expect(await session.readText("names-again")).toBe(listed);
    expect(await session.readText("inner")).toBe("in\n");
    await session.remove("again");
    expect((await session.exec({ command: "ls -d again" })).returncode).not.toBe(0);
    const root = dirname(session.workdir);
    await session.close();
    expect(existsSync(root)).toBe(false);
  });

  it("out of reach of a download that follows a swapped link", async () => {
    const session = await open();
    await writeFile(join(local, "secret"), "canary");
    await chmod(local, 0o755);
    await session.exec({
      command: `mkdir tree; ln -s ${local}/secret tree/file; ln -s ${local} tree/folder; mkfifo tree/pipe`,
    });
    await session.download("tree", join(local, "down"));
    expect(existsSync(join(local, "down", "file"))).toBe(false);
    expect(existsSync(join(local, "down", "folder"))).toBe(false);
  });
});
