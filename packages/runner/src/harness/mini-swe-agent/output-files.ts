import { isAbsolute, posix } from "node:path";
import { errorText } from "@agentcompass/core";
import { EnvironmentFailure, type EnvironmentSession } from "@agentcompass/core/plugin";

export type OutputFiles = {
  /** Text by the path that the task names. */
  readonly files: Readonly<Record<string, string>>;
  /** A path, and why there is no text of it where that is more than its absence. */
  readonly missing: readonly string[];
};

/** Reads the files that a task asks for; a file that is not there, or is no text file, is missing. */
export async function readOutputFiles(
  session: EnvironmentSession,
  workspace: string,
  paths: readonly string[],
): Promise<OutputFiles> {
  const files: Record<string, string> = {};
  const missing: string[] = [];
  for (const path of paths) {
    const found = await readFile(session, isAbsolute(path) ? path : posix.join(workspace, path));
    if (found.text === undefined) missing.push(found.reason ? `${path} (${found.reason})` : path);
    else files[path] = found.text.replaceAll(/\r\n?/g, "\n");
  }
  return { files, missing };
}

async function readFile(
  session: EnvironmentSession,
  path: string,
): Promise<{ text?: string | undefined; reason?: string }> {
  try {
    return { text: await session.readText(path) };
  } catch (error) {
    if (error instanceof EnvironmentFailure) throw error;
    return { reason: errorText(error) };
  }
}
