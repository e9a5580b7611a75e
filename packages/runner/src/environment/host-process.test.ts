import { existsSync, readdirSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { EnvironmentSession, OpenAsk } from "@agentcompass/core/plugin";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { environmentSuite, openAsk } from "../../testing/environment-suite.ts";
import { exposureText, hostProcess } from "./host-process.ts";

environmentSuite("host_process keeps the contract of an environment", async () => hostProcess);

const asRoot = process.getuid?.() === 0;
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

describe("host_process", () => {
  it("says in one line what commands of a model can reach", () => {
    expect(hostProcess.exposure).toBe(exposureText(asRoot));
    for (const root of [true, false]) expect(exposureText(root)).toMatch(/without isolation.*stay/);
    expect(exposureText(false)).toContain("your files");
  });

  it("gives each session private directories that go with it", async () => {
    const session = await open({ label: "task-1" });
    const root = dirname(session.workdir);
    expect(dirname(session.scratch)).toBe(root);
    expect(root).toMatch(/agentcompass-task-1-/);
    const { stdout } = await session.exec({ command: 'echo "$HOME $TMPDIR"; touch "$HOME/a" "$TMPDIR/b" && echo ok' });
    expect((await stat(root)).mode & 0o007).toBe(0);
    expect(stdout).toBe(`${root}/home ${root}/tmp\nok\n`);
    await session.exec({ command: "mkdir -p locked/in && touch locked/in/file && chmod 0 locked/in locked" });
    await session.close();
    expect(existsSync(root)).toBe(false);
  });

  it("makes nothing until it is used, and nothing after it was closed", async () => {
    const session = await open({ label: "unused" });
    expect(existsSync(dirname(session.workdir))).toBe(false);
    await session.close();
    await expect(session.exec({ command: "true" })).rejects.toThrow("closed");
    expect(existsSync(dirname(session.workdir))).toBe(false);
  });

  it("runs in a given workdir, makes it and never deletes it", async () => {
    const given = join(local, "made", "here");
    const session = await open({ setup: { workdir: given } });
    expect(session.workdir).toBe(given);
    await session.exec({ command: "echo kept > file" });
    await session.close();
    expect(await readFile(join(given, "file"), "utf8")).toBe("kept\n");
    expect(existsSync(session.scratch)).toBe(false);
  });

  it("confines paths, also through links that a command has put there", async () => {
    const session = await open();
    await writeFile(join(local, "target"), "outside");
    await session.exec({ command: `ln -s ${local} out; ln -s ${local}/target file; echo in > in; ln -s in inner` });
    for (const path of ["../../x", "/etc/passwd", "out/target", join(local, "target")]) {
      await expect(session.writeText(path, "x")).rejects.toThrow("is outside of the directories of this session");
      await expect(session.upload(join(local, "target"), path)).rejects.toThrow("is outside");
      await expect(session.remove(path)).rejects.toThrow("is outside");
      await expect(session.readText(path)).rejects.toThrow("is outside");
    }
    await expect(session.writeText("file", "x")).rejects.toThrow();
    expect(await session.readText("file")).toBeUndefined();
    expect(await session.readText("inner")).toBe("in\n");
    await session.upload(join(local, "target"), "file");
    expect(await readFile(join(local, "target"), "utf8")).toBe("outside");
    await expect(session.remove("..")).rejects.toThrow("holds the session itself");
  });

  it("does not upload through a link inside an uploaded tree's destination", async () => {
    const session = await open();
    await mkdir(join(local, "tree", "sub"), { recursive: true });
    await writeFile(join(local, "tree", "sub", "file"), "new");
    await mkdir(join(local, "victim"));
    await symlink("sub/file", join(local, "tree", "link"));
    await session.exec({ command: `mkdir tree && ln -s ${local}/victim tree/sub` });
    await session.upload(join(local, "tree"), "tree");
    expect(readdirSync(join(local, "victim"))).toEqual([]);
    expect(await session.readText("tree/link")).toBe("new");
  });

  it("takes a 100 MB output and one line of 20 MB with flat memory", async () => {
    const session = await open();
    const before = process.memoryUsage().rss;
    const many = await session.exec({ command: "head -c 100000000 /dev/zero | tr '\\0' 'a'" });
    const line = await session.exec({ command: "head -c 20000000 /dev/zero | tr '\\0' 'b'; echo END >&2" });
    expect(many.dropped_bytes).toBe(100_000_000 - 1024 * 1024);
    expect(line).toMatchObject({ dropped_bytes: 20_000_000 - 1024 * 1024, stderr: "END\n" });
    expect(process.memoryUsage().rss - before).toBeLessThan(60_000_000);
  });

  it("throws the reason of an abort before it opens, and leaves nothing", async () => {
    const reason = new Error("stopped");
    await expect(open({ label: `aborted${process.pid}`, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith(`agentcompass-aborted${process.pid}-`))).toEqual([]);
  });

  it("fails as an environment when its place cannot be made, and leaves nothing", async () => {
    await writeFile(join(local, "file"), "");
    const failing = open({ label: `unmade${process.pid}`, setup: { workdir: join(local, "file", "below") } });
    await expect(failing).rejects.toMatchObject({ name: "EnvironmentFailure" });
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith(`agentcompass-unmade${process.pid}-`))).toEqual([]);
  });

  it("runs many commands side by side", async () => {
    const session = await open();
    const results = await Promise.all(
      Array.from({ length: 32 }, (_, index) => session.exec({ command: `sleep 0.1; echo ${index}` })),
    );
    expect(results.map((result) => result.stdout)).toEqual(Array.from({ length: 32 }, (_, index) => `${index}\n`));
  });
});
