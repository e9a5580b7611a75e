import type { TaskFile } from "./task-folder.ts";

/** A place in a task's file that names a path of the container the task was written for. */
export type AbsolutePath = {
  readonly path: string;
  readonly line: number;
  readonly found: string;
  readonly advice: string;
};

const ROOTS: Readonly<Record<string, string>> = {
  app: "$AGENTCOMPASS_APP",
  tests: "$AGENTCOMPASS_TESTS",
  solution: "$AGENTCOMPASS_SOLUTION",
  oracle: "$AGENTCOMPASS_SOLUTION",
  logs: "$AGENTCOMPASS_LOGS",
};
const NAMES = [...Object.keys(ROOTS), "root", "home", "workspace", "testbed"].join("|");

// Not after a name, a variable or a relative part (`$DIR/app`, `"$DIR"/app`, `./app`, `x/app`, `//app.org`); a text prefix as in f"/app" is no name.
const PATTERN = new RegExp(
  String.raw`(?:(?<=(?:^|\W)[fFrRbBuU]{1,2}["'])|(?<![\w.~/})\]%*?@-]|[\w})\]]["']))/(${NAMES})(?![\w-])[\w./-]*`,
);

/** The first absolute path in the texts of a task; undefined when there is none. Binary files are left out. */
export function findAbsolutePath(files: readonly TaskFile[]): AbsolutePath | undefined {
  for (const file of files) {
    if (file.bytes.includes(0)) continue;
    const lines = new TextDecoder().decode(file.bytes).split("\n");
    for (const [index, text] of lines.entries()) {
      const match = PATTERN.exec(text);
      if (match) return { path: file.path, line: index + 1, found: match[0], advice: adviceFor(file.path, match[1]) };
    }
  }
  return undefined;
}

function adviceFor(path: string, root: string | undefined): string {
  if (path === "instruction.md") return "name files relative to the working directory";
  return `use ${ROOTS[root ?? ""] ?? "a path inside $AGENTCOMPASS_APP"}`;
}
