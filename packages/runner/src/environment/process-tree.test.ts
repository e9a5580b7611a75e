import { expect, it } from "vitest";
import { isMarked, type ProcessFiles, type ProcessMark } from "./process-tree.ts";

const MARKER = "AGENTCOMPASS_SESSION=one";
const byUser: ProcessMark = { marker: MARKER, roots: [], uid: 61_200 };
const byDirectory: ProcessMark = { marker: MARKER, roots: [], directory: "/tmp/s" };

type Shown = { environment?: string; uid?: number; directory?: string };
const files = (shown: Shown): ProcessFiles => ({
  environment: () => shown.environment,
  uid: () => shown.uid,
  directory: () => shown.directory,
});

it.each<[string, ProcessMark, Shown, boolean]>([
  ["carries the mark", byUser, { environment: `A=1\0${MARKER}\0`, uid: 0 }, true],
  ["carries the mark first", byUser, { environment: `${MARKER}\0` }, true],
  ["carries a longer one", byUser, { environment: `${MARKER}2\0`, uid: 5 }, false],
  ["carries it inside of another variable", byUser, { environment: `X${MARKER}\0`, uid: 5 }, false],
  ["has left its environment", byUser, { environment: "", uid: 61_200 }, true],
  ["hides its environment", byUser, { uid: 61_200 }, true],
  ["hides its environment under another user", byUser, { uid: 61_201 }, false],
  [
    "is another session's under the same user",
    byUser,
    { environment: "AGENTCOMPASS_SESSION=two\0", uid: 61_200 },
    false,
  ],
  ["is gone", byUser, {}, false],
  ["works in the directory", byDirectory, { environment: "", uid: 1000, directory: "/tmp/s" }, true],
  ["works below it and hides its environment", byDirectory, { uid: 1000, directory: "/tmp/s/work" }, true],
  ["works beside it", byDirectory, { environment: "", uid: 1000, directory: "/tmp/s2" }, false],
  ["works there under another user", byDirectory, { environment: "", uid: 0, directory: "/tmp/s" }, false],
  ["shows nothing", byDirectory, { uid: 1000 }, false],
])("a process that %s is meant or not", (_case, mark, shown, meant) => {
  expect(isMarked(files(shown), mark, 1000)).toBe(meant);
});
