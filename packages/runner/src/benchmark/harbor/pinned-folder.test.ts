import { once } from "node:events";
import { mkdir, readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import { join } from "node:path";
import { sha256 } from "@agentcompass/core";
import { describe, expect, it } from "vitest";
import { type ArchiveServer, startArchiveServer, tarGz } from "../../../testing/archive-server.ts";
import { loadAsk, refusal, temporaryFolder } from "../../../testing/asks.ts";
import { harbor } from "./index.ts";
import { DOWNLOAD_LIMITS, pinnedFolder } from "./pinned-folder.ts";
import { pinnedSource } from "./repository.ts";

const COMMIT = "0123456789abcdef0123456789abcdef01234567";
const REPOSITORY = "https://github.com/owner/tasks";
const archiveOf = (commit: string | undefined = COMMIT) =>
  tarGz(
    [
      { name: "tasks-0123/suite/one/task.toml", content: '[metadata]\ncategory = "text"\n' },
      { name: "tasks-0123/suite/one/instruction.md", content: "Write answer.txt.\n" },
      { name: "tasks-0123/suite/one/tests/test.sh", content: "#!/bin/sh\nexit 0\n", mode: 0o755 },
    ],
    commit,
  );

async function serving(answer: (response: ServerResponse, url: string) => void): Promise<ArchiveServer> {
  return await startArchiveServer((request, response) => answer(response, request.url ?? ""));
}

const template = (server: ArchiveServer): string => `${server.origin}/archive/{commit}.tar.gz`;
const source = (server: ArchiveServer) => pinnedSource(REPOSITORY, COMMIT, template(server));

describe("harbor from a repository at a commit", () => {
  it("loads its tasks, says the address first, and tells where they came from", async () => {
    await using data = await temporaryFolder();
    const archive = await archiveOf();
    await using server = await serving((response) => response.end(archive));
    const ask = loadAsk({
      dataDir: data.path,
      params: {
        repository: `${REPOSITORY}.git`,
        commit: COMMIT.toUpperCase(),
        folder: "suite",
        archive: template(server),
      },
    });
    const loaded = await harbor.doLoad(ask);
    const folder = join(data.path, "harbor", "owner", "tasks", COMMIT);
    const address = `${server.origin}/archive/${COMMIT}.tar.gz`;
    expect(loaded.tasks.map((task) => task.task_id)).toEqual(["one"]);
    expect(loaded.provenance).toEqual({
      source: `${REPOSITORY}/suite`,
      commit: COMMIT,
      archive: { address, checksum: `sha256:${sha256(archive)}` },
      checksum: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      tasks_available: 1,
    });
    expect(ask.logged.map((record) => record.message)).toEqual([`downloading ${address} to ${folder}`]);
    expect((await stat(join(folder, "suite", "one", "tests", "test.sh"))).mode & 0o111).toBe(0o111);
    expect((await stat(folder)).mode & 0o077).toBe(0);
    const again = loadAsk({ ...ask, logged: [] } as never);
    expect((await harbor.doLoad({ ...again, params: ask.params, dataDir: data.path })).provenance).toEqual(
      loaded.provenance,
    );
    expect(server.requests).toHaveLength(1);
  });

  it("takes a folder that was put there by hand, without asking anybody", async () => {
    await using data = await temporaryFolder();
    const task = join(data.path, "harbor", "owner", "tasks", COMMIT, "one");
    await mkdir(join(task, "tests"), { recursive: true });
    await writeFile(join(task, "task.toml"), "");
    await writeFile(join(task, "instruction.md"), "Do it.");
    await writeFile(join(task, "tests", "test.sh"), "#!/bin/sh\n");
    const params = { repository: REPOSITORY, commit: COMMIT };
    const { provenance } = await harbor.doLoad(loadAsk({ dataDir: data.path, params }));
    expect(provenance).toMatchObject({ source: REPOSITORY, commit: COMMIT, tasks_available: 1 });
    expect(provenance.archive).toBeUndefined();
  });

  it("names a folder that the repository does not have", async () => {
    await using data = await temporaryFolder();
    const archive = await archiveOf();
    await using server = await serving((response) => response.end(archive));
    const params = { repository: REPOSITORY, commit: COMMIT, folder: "nowhere", archive: template(server) };
    const error = await refusal(harbor.doLoad(loadAsk({ dataDir: data.path, params })));
    expect(error.code).toBe("benchmark.data_missing");
    expect(error.message).toContain("benchmark.folder: there is no folder 'nowhere'");
  });
});

describe("the folder of a pinned source", () => {
  it("is fetched whole by each of several at once, and they do not clash", async () => {
    await using data = await temporaryFolder();
    const archive = await archiveOf();
    await using server = await serving((response) => response.end(archive));
    const ask = loadAsk({ dataDir: data.path });
    const folders = await Promise.all([1, 2, 3].map(() => pinnedFolder(source(server), ask)));
    expect(new Set(folders.map((folder) => folder.path)).size).toBe(1);
    expect(await readdir(join(data.path, "harbor", "owner", "tasks"))).toEqual([COMMIT]);
    expect(await readFile(join(folders[0]?.path ?? "", "suite/one/instruction.md"), "utf8")).toContain("answer.txt");
  });

  it("comes also over a redirect on this machine, and from a slow server", async () => {
    await using data = await temporaryFolder();
    const archive = await archiveOf();
    await using server = await serving(async (response, url) => {
      if (url.startsWith("/archive")) return response.writeHead(302, { location: "/moved" }).end();
      for (let at = 0; at < archive.length; at += 40) {
        response.write(archive.subarray(at, at + 40));
        await new Promise(setImmediate);
      }
      return response.end();
    });
    await pinnedFolder(source(server), loadAsk({ dataDir: data.path }));
    expect(server.requests).toEqual([`/archive/${COMMIT}.tar.gz`, "/moved"]);
  });

  it.each<{ case: string; answer: (response: ServerResponse, archive: Buffer) => void; says: RegExp }>([
    {
      case: "a status of 404",
      answer: (response) => response.writeHead(404).end("no"),
      says: /answered with status 404 \(no such repository or commit.*HTTPS_PROXY.*put that commit's files at/,
    },
    { case: "a status of 500", answer: (response) => response.writeHead(500).end(), says: /status 500/ },
    {
      case: "a redirect to http elsewhere",
      answer: (response) => response.writeHead(302, { location: "http://example.org/x" }).end(),
      says: /redirects to http:\/\/example\.org, which is refused/,
    },
    {
      case: "redirects without end",
      answer: (response) => response.writeHead(302, { location: "/again" }).end(),
      says: /more than 5 redirects/,
    },
    {
      case: "a cut body",
      answer: (response, archive) => {
        response.writeHead(200, { "content-length": archive.length });
        response.write(archive.subarray(0, 200), () => response.destroy());
      },
      says: /could not be downloaded/,
    },
    { case: "a cut gzip", answer: (response, archive) => response.end(archive.subarray(0, -20)), says: /end of file/ },
    { case: "a web page", answer: (response) => response.end("<html>sign in</html>"), says: /could not be downloaded/ },
    {
      case: "silence",
      answer: (response, archive) => void response.write(archive.subarray(0, 100)),
      says: /could not be downloaded: .*[Tt]imeout/,
    },
  ])("does not come of $case, and nothing is left", async ({ answer, says }) => {
    await using data = await temporaryFolder();
    const archive = await archiveOf();
    await using server = await serving((response) => answer(response, archive));
    const limits = { ...DOWNLOAD_LIMITS, silenceMs: 300 };
    const error = await refusal(pinnedFolder(source(server), loadAsk({ dataDir: data.path }), limits));
    expect(error.code).toBe("benchmark.data_missing");
    expect(error.message).toMatch(says);
    expect(error.message).toContain(`${server.origin}/archive/${COMMIT}.tar.gz`);
    expect(error.message).not.toContain("\n");
    expect(await readdir(join(data.path, "harbor", "owner", "tasks"))).toEqual([]);
  });

  it.each<{ case: string; archive: () => Promise<Buffer>; says: string }>([
    {
      case: "of another commit",
      archive: () => archiveOf("f".repeat(40)),
      says: `of another commit, ${"f".repeat(40)}`,
    },
    {
      case: "with an entry outside",
      archive: () => tarGz([{ name: "top/../../evil", content: "x" }]),
      says: "leads out of the archive",
    },
  ])("is refused for an archive $case", async ({ archive, says }) => {
    await using data = await temporaryFolder();
    const bytes = await archive();
    await using server = await serving((response) => response.end(bytes));
    const error = await refusal(pinnedFolder(source(server), loadAsk({ dataDir: data.path })));
    expect(error.code).toBe("benchmark.data_invalid");
    expect(error.message).toContain(says);
    expect(await readdir(join(data.path, "harbor", "owner", "tasks"))).toEqual([]);
  });

  it("is refused for a download that is too large", async () => {
    await using data = await temporaryFolder();
    const archive = await archiveOf();
    await using server = await serving((response) => response.end(archive));
    const limits = { ...DOWNLOAD_LIMITS, maxDownloadBytes: 50 };
    const error = await refusal(pinnedFolder(source(server), loadAsk({ dataDir: data.path }), limits));
    expect(error.message).toContain("larger than 50 bytes");
  });

  it("clears away what a killed download left a day ago, and leaves one of now alone", async () => {
    await using data = await temporaryFolder();
    const parent = join(data.path, "harbor", "owner", "tasks");
    for (const name of [".download-old", ".download-now"]) await mkdir(join(parent, name), { recursive: true });
    await utimes(join(parent, ".download-old"), new Date(0), new Date(0));
    const archive = await archiveOf();
    await using server = await serving((response) => response.end(archive));
    await pinnedFolder(source(server), loadAsk({ dataDir: data.path }));
    expect((await readdir(parent)).sort()).toEqual([".download-now", COMMIT]);
  });

  it("that cannot be written speaks of the disk, not of the network", async () => {
    await using data = await temporaryFolder();
    await writeFile(join(data.path, "harbor"), "a file in the way");
    const archive = await archiveOf();
    await using server = await serving((response) => response.end(archive));
    const error = await refusal(pinnedFolder(source(server), loadAsk({ dataDir: data.path })));
    expect(error.code).toBe("benchmark.data_missing");
    expect(error.message).toMatch(/could not be unpacked to .*: E\w+: .*data_dir/);
    expect(error.message).not.toContain("PROXY");
  });

  it("ends with the reason of an abort, and nothing is left", async () => {
    await using data = await temporaryFolder();
    const controller = new AbortController();
    const reason = new Error("stopped");
    await using server = await serving((response) => {
      response.write("half");
      controller.abort(reason);
    });
    const ask = loadAsk({ dataDir: data.path, signal: controller.signal });
    await expect(pinnedFolder(source(server), ask)).rejects.toBe(reason);
    expect(await readdir(join(data.path, "harbor", "owner", "tasks"))).toEqual([]);
  });

  it("is looked for through the proxy of the environment", async () => {
    await using data = await temporaryFolder();
    const asked: string[] = [];
    const tunnel = createServer();
    tunnel.on("connect", (request, socket) => {
      asked.push(request.url ?? "");
      socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    });
    tunnel.listen(0, "127.0.0.1");
    await once(tunnel, "listening");
    const address = tunnel.address();
    const before = process.env["HTTPS_PROXY"];
    process.env["HTTPS_PROXY"] = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
    try {
      const remote = pinnedSource(REPOSITORY, COMMIT, undefined);
      const error = await refusal(pinnedFolder(remote, loadAsk({ dataDir: data.path })));
      expect(error.message).toContain(
        `https://github.com/owner/tasks/archive/${COMMIT}.tar.gz could not be downloaded`,
      );
      expect(asked).toEqual(["github.com:443"]);
    } finally {
      if (before === undefined) delete process.env["HTTPS_PROXY"];
      else process.env["HTTPS_PROXY"] = before;
      tunnel.close();
    }
  });
});
