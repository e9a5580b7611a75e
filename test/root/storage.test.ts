import { execFileSync } from "node:child_process";
import { chmod, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { agentcompass, temporaryDirectory } from "../cli/command.ts";

const NOBODY = 65_534;

describe("results that cannot be written", () => {
  it("are refused in one line under another uid, and nothing is left behind", async () => {
    const cwd = await temporaryDirectory();
    await chmod(cwd, 0o755);
    const results = join(cwd, "results");
    await mkdir(results, { mode: 0o755 });
    const home = join(cwd, "home");
    await mkdir(home);
    execFileSync("chown", [String(NOBODY), home]);
    const { code, stdout, stderr } = await agentcompass(
      ["run", "starter", "nop", "none", "--results-dir", results, "--log-level", "CRITICAL", "--progress", "none"],
      { cwd, uid: NOBODY, env: { HOME: home } },
    );
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(stderr).toContain(results);
    expect(await readdir(results)).toEqual([]);
  });

  it("on a full disk fail the request in one line, and no half-written result is taken for whole", async () => {
    const cwd = await temporaryDirectory();
    const results = join(cwd, "results");
    await mkdir(results);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=96k", "tmpfs", results]);
    onTestFinished(() => void execFileSync("umount", [results]));
    const { code, stdout, stderr } = await agentcompass(
      ["run", "starter", "oracle", "none", "--results-dir", results, "--log-level", "CRITICAL", "--progress", "none"],
      { cwd },
    );
    expect(code).toBe(1);
    expect(stdout).not.toContain("completed");
    expect(stderr).toMatch(/^Error: .*(full|space)/m);
    expect(stderr).not.toContain("    at ");
  });
});
