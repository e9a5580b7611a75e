import { join } from "node:path";
import { type ArchiveServer, startArchiveServer, tarGz } from "@agentcompass/runner/testing";
import { expect, it } from "vitest";
import { createPlace, type Ended, namesIn, type Place, refused } from "./place.ts";

const COMMIT = "89abcdef0123456789abcdef0123456789abcdef";
const REPOSITORY = "https://github.com/owner/tasks";

const task = (top: string, name: string, word: string) => [
  { name: `${top}/${name}/task.toml`, content: "" },
  { name: `${top}/${name}/instruction.md`, content: `Write ${word} into answer.txt.\n` },
  {
    name: `${top}/${name}/tests/test.sh`,
    content: `#!/bin/sh\ngrep -qx ${word} answer.txt\necho $((1 - $?)) > "$AGENTCOMPASS_LOGS/verifier/reward.txt"\n`,
  },
  { name: `${top}/${name}/solution/solve.sh`, content: `#!/bin/sh\necho ${word} > answer.txt\n` },
];

/** Serves a repository with the task `outer`, and `inner` in the folder `suite/easy`. */
async function serving(): Promise<ArchiveServer> {
  const archive = await tarGz(
    [...task("tasks-1", "outer", "one"), ...task("tasks-1/suite/easy", "inner", "two")],
    COMMIT,
  );
  return await startArchiveServer((_request, response) => response.end(archive));
}

function run(place: Place, server: ArchiveServer, params: object, harness = "oracle"): Promise<Ended> {
  const pinned = { repository: REPOSITORY, commit: COMMIT, archive: `${server.origin}/{commit}.tar.gz` };
  return place.run({ benchmark: "harbor", harness, model: "none", benchmarkParams: { ...pinned, ...params } });
}

it("repository and commit: the tasks come from that commit, once, and run_info.json says so", async () => {
  const place = await createPlace();
  await using server = await serving();
  const first = await run(place, server, {});
  expect([first.status, first.score]).toEqual(["completed", 1]);
  expect((await run(place, server, {}, "nop")).score).toBe(0);
  expect(server.requests).toEqual([`/${COMMIT}.tar.gz`]);
  expect((await first.json("run_info.json")).provenance.data).toMatchObject({
    source: REPOSITORY,
    commit: COMMIT,
    archive: { address: `${server.origin}/${COMMIT}.tar.gz`, checksum: expect.stringMatching(/^sha256:/) },
    tasks_available: 1,
  });
  expect(await namesIn(join(place.path, "data", "harbor", "owner", "tasks"))).toEqual([COMMIT]);
});

it("commit: a branch is refused before anything is written", async () => {
  const place = await createPlace();
  await using server = await serving();
  const message = await refused(run(place, server, { commit: "main" }));
  expect(message).toContain("benchmark.commit: 'main' is no whole commit id: give 40 hexadecimal digits");
  expect(server.requests).toEqual([]);
  expect(await namesIn(join(place.path, "results"))).toEqual([]);
});

it("folder: the tasks of a place in the repository", async () => {
  const place = await createPlace();
  await using server = await serving();
  const ended = await run(place, server, { folder: "suite/easy" });
  expect([ended.status, ended.score]).toEqual(["completed", 1]);
  expect((await ended.json("run_info.json")).provenance.data.source).toBe(`${REPOSITORY}/suite/easy`);
});

it("archive: where it is fetched, also for hosts that are not known", async () => {
  const place = await createPlace();
  await using server = await serving();
  const params = { repository: "https://git.example.org/team/suite", archive: `${server.origin}/x/{commit}/a.tgz` };
  expect((await run(place, server, params)).score).toBe(1);
  expect(server.requests).toEqual([`/x/${COMMIT}/a.tgz`]);
  const unknown = await refused(run(place, server, { ...params, archive: undefined }));
  expect(unknown).toContain("benchmark.repository: where git.example.org keeps archives is not known");
});
