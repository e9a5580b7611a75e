import { chmod, lstat, mkdir, mkdtemp, readFile, readlink, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Environment, EnvironmentSession, OpenAsk } from "@agentcompass/core/plugin";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

/** What a test opens a session with; fields of `over` win. */
export function openAsk(over: Partial<OpenAsk> = {}): OpenAsk {
  return {
    params: {},
    setup: {},
    resources: {},
    env: {},
    label: "suite",
    signal: new AbortController().signal,
    log: () => undefined,
    ...over,
  };
}

/** The contract of an environment: what holds for every place in which commands run. Needs sh and a few POSIX tools there. */
export function environmentSuite(name: string, load: () => Promise<Environment>, over: Partial<OpenAsk> = {}): void {
  describe(name, () => {
    let session: EnvironmentSession;
    let local: string;

    beforeEach(async () => {
      local = await mkdtemp(join(tmpdir(), "agentcompass-suite-"));
      const environment = await load();
      session = await environment.doOpen(openAsk({ ...over, env: { GRANTED: "by spec", ...over.env } }));
    });

    afterEach(async () => {
      await session.close();
      await rm(local, { recursive: true, force: true });
    });

    const sh = (command: string, ask = {}) => session.exec({ command, ...ask });
    const isRunning = async (pidFile: string): Promise<boolean> => {
      const pid = (await session.readText(pidFile))?.trim();
      expect(pid).toMatch(/^\d+$/);
      const state = await sh(`ps -o stat= -p ${pid} 2>/dev/null || cut -d" " -f3 /proc/${pid}/stat 2>/dev/null`);
      return state.stdout.trim() !== "" && !state.stdout.trim().startsWith("Z");
    };

    describe("exec", () => {
      it("returns status, output and error output", async () => {
        const result = await sh("echo out; echo err >&2; exit 3");
        expect(result).toMatchObject({
          returncode: 3,
          stdout: "out\n",
          stderr: "err\n",
          timed_out: false,
          dropped_bytes: 0,
        });
        expect(result.duration_ms).toBeGreaterThan(0);
      });

      it("runs a list without a shell", async () => {
        const result = await session.exec({ command: ["printf", "%s|", "$HOME", "a b"] });
        expect(result.stdout).toBe("$HOME|a b|");
      });

      it("gives 127 for a program that is not there and for a directory that is not there", async () => {
        expect((await session.exec({ command: ["no-such-program"] })).returncode).toBe(127);
        const result = await sh("true", { cwd: "no-such-directory" });
        expect(result.returncode).toBe(127);
        expect(result.stderr).toContain("no-such-directory");
      });

      it("gives 128 + signal for a command that is killed", async () => {
        expect((await sh("kill -9 $$")).returncode).toBe(137);
      });

      it("starts in the workdir and follows a relative cwd", async () => {
        expect((await sh("mkdir -p sub && pwd -P")).stdout.trim()).toBe(session.workdir);
        expect((await sh("pwd -P", { cwd: "sub" })).stdout.trim()).toBe(join(session.workdir, "sub"));
      });

      it("feeds stdin, and survives a command that does not read it", async () => {
        expect((await sh("cat", { stdin: "héllo" })).stdout).toBe("héllo");
        expect((await sh("exit 5", { stdin: "x".repeat(4_000_000) })).returncode).toBe(5);
      });

      it("takes a command that is longer than an argument may be", async () => {
        const result = await sh(`cat <<'END' | wc -c\n${"x".repeat(300_000)}\nEND`);
        expect(result.stdout.trim()).toBe("300001");
      });

      it("replaces what is not UTF-8", async () => {
        expect((await sh("printf 'a\\377b'")).stdout).toBe("a\uFFFDb");
      });

      it("keeps the first and the last half of a long output and counts the rest", async () => {
        const result = await sh("printf START; head -c 100000 /dev/zero | tr '\\0' x; printf END", {
          maxOutputBytes: 1000,
        });
        expect(result.dropped_bytes).toBe(100_008 - 1000);
        expect(result.stdout).toMatch(/^STARTx+\n\[99008 bytes dropped\]\nx+END$/);
      });

      it("does not wait for a background process that holds the output", async () => {
        const result = await sh("sleep 30 & echo $! > pid; echo done");
        expect(result).toMatchObject({ returncode: 0, stdout: "done\n" });
        expect(result.duration_ms).toBeLessThan(5000);
        expect(await isRunning("pid")).toBe(true);
      });

      it("leaves a background process alive that writes after its command has ended", async () => {
        await sh("(for i in 1 2 3 4 5 6 7 8 9 10; do echo tick; sleep 0.1; done; echo yes > finished; sleep 30) &");
        const result = await sh(
          "for i in 1 2 3 4 5 6 7 8 9 10; do [ -e finished ] && break; sleep 0.3; done; cat finished",
        );
        expect(result.stdout).toBe("yes\n");
      });
    });

    describe("a timeout", () => {
      it("gives 124 with the output so far", async () => {
        const result = await sh("echo before; sleep 30; echo after", { timeoutMs: 300 });
        expect(result).toMatchObject({ returncode: 124, timed_out: true, stdout: "before\n" });
        expect(result.duration_ms).toBeLessThan(10_000);
      });

      it.each([
        { case: "a child", command: "sleep 30 & echo $! > pid; wait" },
        {
          case: "a child that ignores SIGTERM",
          command: "sh -c 'trap \"\" TERM; echo $$ > pid; while :; do sleep 1; done'",
        },
        { case: "a child in a session of its own", command: "setsid sh -c 'echo $$ > pid; sleep 30; :' & sleep 30" },
        {
          case: "a grandchild whose parents are gone",
          command: "(setsid sh -c '(echo $$ > pid; sleep 30; :) & wait' &) ; sleep 30",
        },
      ])("kills $case", async ({ command }) => {
        const result = await sh(command, { timeoutMs: 500 });
        expect(result.timed_out).toBe(true);
        expect(await isRunning("pid")).toBe(false);
      });

      it("of one command leaves the others alone", async () => {
        await sh("sleep 30 > /dev/null 2>&1 & echo $! > pid");
        await sh("sleep 30", { timeoutMs: 100 });
        expect(await isRunning("pid")).toBe(true);
      });
    });

    it("throws the signal's reason after an abort, and the tree is gone", async () => {
      const controller = new AbortController();
      const reason = new Error("stopped");
      setTimeout(() => controller.abort(reason), 400);
      await expect(sh("sleep 30 & echo $! > pid; wait", { signal: controller.signal })).rejects.toBe(reason);
      expect(await isRunning("pid")).toBe(false);
    });

    describe("the environment of commands", () => {
      it("holds what the spec grants and not the caller's variables", async () => {
        process.env["CALLER_SECRET_CANARY"] = "canary-5577";
        try {
          const { stdout } = await sh("env");
          expect(stdout).toContain("GRANTED=by spec");
          expect(stdout).not.toContain("canary-5577");
        } finally {
          delete process.env["CALLER_SECRET_CANARY"];
        }
      });

      it("is overridden for one command alone", async () => {
        expect((await sh('echo "$GRANTED"', { env: { GRANTED: "by call" } })).stdout).toBe("by call\n");
        expect((await sh('echo "$GRANTED"')).stdout).toBe("by spec\n");
      });
    });

    describe("files", () => {
      it("writes, reads, bounds and removes text", async () => {
        await session.writeText("a/b.txt", "héllo");
        expect((await sh("cat a/b.txt && echo more >> a/b.txt")).stdout).toBe("héllo");
        expect(await session.readText("a/b.txt")).toBe("héllomore\n");
        expect(await session.readText("a/b.txt", 1)).toBe("h");
        await session.remove("a");
        expect(await session.readText("a/b.txt")).toBeUndefined();
        await session.remove("a");
      });

      it("uploads and downloads a tree with permissions and links", async () => {
        const from = join(local, "from");
        await mkdir(join(from, "sub"), { recursive: true });
        await writeFile(join(from, "sub", "run.sh"), "#!/bin/sh\necho ran\n");
        await chmod(join(from, "sub", "run.sh"), 0o750);
        await symlink("sub/run.sh", join(from, "link"));
        await session.upload(from, "deep/tree");
        expect((await sh("./deep/tree/link && echo made > deep/tree/new")).stdout).toBe("ran\n");
        await session.download("deep/tree", join(local, "back"));
        expect((await stat(join(local, "back", "sub", "run.sh"))).mode & 0o777).toBe(0o750);
        expect(await readlink(join(local, "back", "link"))).toBe("sub/run.sh");
        expect(await readFile(join(local, "back", "new"), "utf8")).toBe("made\n");
      });

      it("uploads and downloads one file over another, also in the scratch directory", async () => {
        await writeFile(join(local, "one"), "one");
        await session.upload(join(local, "one"), join(session.scratch, "x", "file"));
        await sh(`printf two > ${session.scratch}/x/file`);
        await session.download(join(session.scratch, "x", "file"), join(local, "one"));
        expect(await readFile(join(local, "one"), "utf8")).toBe("two");
      });

      it("refuses to download what is not there", async () => {
        await expect(session.download("nothing", join(local, "nothing"))).rejects.toThrow("nothing does not exist");
      });

      it("downloads no link that leads out of the tree, and no pipe", async () => {
        await sh("mkdir t && ln -s /etc/passwd t/out && ln -s ../../.. t/up && mkfifo t/pipe && echo a > t/a");
        await session.download("t", join(local, "t"));
        expect(await readFile(join(local, "t", "a"), "utf8")).toBe("a\n");
        for (const name of ["out", "up", "pipe"]) await expect(lstat(join(local, "t", name))).rejects.toThrow();
      });

      it("reads no pipe that nobody writes to", async () => {
        await sh("mkfifo pipe");
        expect(await session.readText("pipe")).toBeUndefined();
      });
    });

    it("close ends background processes, is idempotent and leaves no session to use", async () => {
      const { stdout } = await sh("setsid sleep 30 > /dev/null 2>&1 & echo $!");
      const pid = Number(stdout.trim());
      expect(pid).toBeGreaterThan(0);
      await Promise.all([session.close(), session.close()]);
      await expect(sh("true")).rejects.toMatchObject({ name: "EnvironmentFailure" });
    });
  });
}
