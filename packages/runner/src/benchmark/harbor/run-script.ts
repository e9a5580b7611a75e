import { readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import type { EnvironmentSession, ExecResult } from "@agentcompass/core/plugin";
import { type Layout, layoutVariables, scriptCommand } from "./layout.ts";

type ScriptAsk = {
  readonly session: EnvironmentSession;
  readonly layout: Layout;
  /** Local folder that is uploaded and holds the script. */
  readonly local: string;
  /** Where it goes in the session. */
  readonly remote: string;
  readonly script: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
};

/** Puts a folder into the session, new, and runs one script of it in the working directory. */
export async function runScript(ask: ScriptAsk): Promise<ExecResult> {
  const { session, remote } = ask;
  await session.remove(remote);
  await session.upload(ask.local, remote);
  const text = await readFile(join(ask.local, ask.script), "utf8");
  return session.exec({
    command: scriptCommand(text.split("\n", 1)[0] ?? "", posix.join(remote, ask.script)),
    cwd: session.workdir,
    env: { ...ask.env, ...layoutVariables(ask.layout) },
    signal: ask.signal,
  });
}

/** The end of what a script wrote, for a report. */
export function outputTail(result: ExecResult, length = 2_000): string {
  return [result.stdout, result.stderr]
    .map((text) => text.trimEnd().slice(-length))
    .filter(Boolean)
    .join("\n");
}
