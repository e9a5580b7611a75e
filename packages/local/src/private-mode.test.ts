import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { FolderBlobStore } from "./folder-blob-store.ts";
import { directoryMode } from "./private-mode.ts";

it("closes directories of results to other users when root makes them, and leaves them to the umask otherwise", async () => {
  expect([directoryMode(0), directoryMode(1000)]).toEqual([0o700, 0o777]);
  const root = await mkdtemp(join(tmpdir(), "agentcompass-local-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const store = new FolderBlobStore(join(root, "results"));
  await store.reserve("bench/run");
  await store.put("bench/run/details/task/result.json", "{}");
  await store.append("bench/run/logs/run.log", "line\n");
  await store.close();
  const umask = process.umask();
  for (const name of ["", "bench", "bench/run", "bench/run/details/task", "bench/run/logs"])
    expect((await stat(join(root, "results", name))).mode & 0o777).toBe(directoryMode() & ~umask);
});
