import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { agentcompass, ROOT } from "./command.ts";

describe("help", () => {
  it("lists every command on stdout and marks those that come later", async () => {
    const { code, stdout, stderr } = await agentcompass(["--help"]);
    expect([code, stderr]).toEqual([0, ""]);
    for (const name of ["run", "launch", "config", "list", "summary", "doctor", "analysis", "env", "view"])
      expect(stdout).toMatch(new RegExp(`^  ${name} `, "m"));
    for (const name of ["analysis", "env", "view"])
      expect(stdout).toMatch(new RegExp(`^  ${name} .*\\(comes with a later release\\)$`, "m"));
    expect(stdout).not.toMatch(/^ {2}run .*later release/m);
  });

  it("is what the command prints without arguments", async () => {
    expect(await agentcompass([])).toEqual(await agentcompass(["-h"]));
  });

  it("shows every option of run with its default", async () => {
    const { code, stdout } = await agentcompass(["run", "--help"]);
    expect(code).toBe(0);
    const options =
      "benchmark harness model config component env benchmark-params harness-params env-params model-params analysis-params " +
      "execution-params model-base-url model-api-key wrap-api-key no-wrap-api-key model-api-protocol task-concurrency k " +
      "attempt-strategy max-retries retry-pattern-list recipe recipe-dir results-dir data-dir run-name run-id reuse " +
      "no-checkpoint-resume timeout-seconds provider-limit env-open-qps progress log-level file-log-level " +
      "auto-install-dependencies no-auto-install-dependencies keep-environment no-keep-environment enable-analysis " +
      "no-enable-analysis json";
    for (const option of options.split(" ")) expect(stdout).toMatch(new RegExp(`^  --${option}( |$)`, "m"));
    expect(stdout).toContain("360000");
  });

  it("shows every option of launch", async () => {
    const { code, stdout } = await agentcompass(["launch", "-h"]);
    expect(code).toBe(0);
    const options =
      "config component dry-run no-dry-run run-id reuse no-reuse timeout-seconds cleanup-grace-seconds task-concurrency results-dir " +
      "data-dir provider-limit env-open-qps progress log-level file-log-level auto-install-dependencies json";
    for (const option of options.split(" ")) expect(stdout).toMatch(new RegExp(`^  --${option}( |$)`, "m"));
  });

  it("prints the version", async () => {
    const { version } = JSON.parse(await readFile(join(ROOT, "packages/cli/package.json"), "utf8"));
    expect(await agentcompass(["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
  });

  it("needs no more than commander and Node to be loaded, so that it is fast", async () => {
    const external = await staticImports(join(ROOT, "packages/cli/dist/main.js"));
    expect([...external].filter((name) => !name.startsWith("node:")).sort()).toEqual(["commander"]);
  });
});

/** Packages that a module loads with it, itself or through its own chunks: imported, or bundled as the chunk's comments say. */
async function staticImports(file: string, seen = new Set<string>()): Promise<Set<string>> {
  const external = new Set<string>();
  if (seen.has(file)) return external;
  seen.add(file);
  const text = await readFile(file, "utf8");
  for (const match of text.matchAll(/^\/\/#region .*node_modules\/((?:@[^/]+\/)?[^/]+)\//gm))
    external.add(match[1] ?? "");
  for (const match of text.matchAll(/^(?:import|export)\b[^;]*?["']([^"']+)["'];?$/gm)) {
    const name = match[1] ?? "";
    if (!name.startsWith(".")) external.add(name);
    else for (const inner of await staticImports(join(dirname(file), name), seen)) external.add(inner);
  }
  return external;
}
