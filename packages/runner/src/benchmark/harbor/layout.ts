import { randomUUID } from "node:crypto";
import { posix } from "node:path";
import type { Environment, EnvironmentSession } from "@agentcompass/core/plugin";

/** Where a task's folders are in a session. */
export type Layout = {
  readonly app: string;
  readonly tests: string;
  readonly solution: string;
  /** The verifier writes `<logs>/verifier/reward.txt`. */
  readonly logs: string;
};

const CONTAINER: Omit<Layout, "app"> = { tests: "/tests", solution: "/solution", logs: "/logs" };

/**
 * The folders of the Harbor format where the environment has a filesystem of its own; elsewhere new ones in the session's
 * scratch directory, with names that an agent cannot know beforehand.
 */
export function layoutOf(session: EnvironmentSession, ownsFilesystem: boolean): Layout {
  if (ownsFilesystem) return { app: session.workdir, ...CONTAINER };
  const base = posix.join(session.scratch, randomUUID());
  return {
    app: session.workdir,
    tests: posix.join(base, "tests"),
    solution: posix.join(base, "solution"),
    logs: posix.join(base, "logs"),
  };
}

/** The same as environment variables, which scripts read instead of fixed paths. */
export function layoutVariables(layout: Layout): Readonly<Record<string, string>> {
  return {
    AGENTCOMPASS_APP: layout.app,
    AGENTCOMPASS_TESTS: layout.tests,
    AGENTCOMPASS_SOLUTION: layout.solution,
    AGENTCOMPASS_LOGS: layout.logs,
  };
}

/** The command that runs a script by the interpreter of its first line, so that it needs no execute permission. */
export function scriptCommand(firstLine: string, path: string): readonly string[] {
  const match = /^#!\s*(\S+)(?:\s+(.*\S))?\s*$/.exec(firstLine);
  if (!match?.[1]) return ["sh", path];
  return match[2] === undefined ? [match[1], path] : [match[1], match[2], path];
}

export type Place = Pick<Environment, "id" | "ownsFilesystem" | "resourceFields">;
