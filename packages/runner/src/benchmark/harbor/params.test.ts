import { describe, expect, it } from "vitest";
import { parseParams } from "../params.ts";
import { HarborParams } from "./params.ts";
import { pinnedSource } from "./repository.ts";

const COMMIT = "0123456789abcdef0123456789abcdef01234567";
const GITHUB = "https://github.com/owner/name";

function said(params: object): string {
  try {
    parseParams(HarborParams, params);
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe("the parameters of harbor", () => {
  it.each([
    { path: "tasks" },
    { repository: GITHUB, commit: COMMIT },
    { repository: `${GITHUB}.git/`, commit: ` ${COMMIT.toUpperCase()} `, folder: "a/b" },
    { repository: "https://gitlab.com/group/sub/name", commit: COMMIT },
    { repository: "https://git.example.org/o/n", commit: COMMIT, archive: "https://git.example.org/o/n/{commit}.tgz" },
    { repository: GITHUB, commit: COMMIT, archive: "http://127.0.0.1:8080/{commit}" },
  ])("take %o", (params) => {
    expect(said(params)).toBe("");
  });

  it.each<[object, string]>([
    [{}, "benchmark.path: needed: a folder"],
    [{ commit: COMMIT }, "benchmark.commit: belongs to a repository"],
    [{ path: "x", folder: "y" }, "benchmark.folder: belongs to a repository"],
    [{ path: "x", repository: GITHUB, commit: COMMIT }, "benchmark.path: give either path or repository"],
    [{ repository: GITHUB }, "benchmark.commit: needed with repository: give 40 hexadecimal digits"],
    [{ repository: GITHUB, commit: "main" }, "benchmark.commit: 'main' is no whole commit id: give 40"],
    [{ repository: GITHUB, commit: COMMIT.slice(0, 7) }, "branches, tags and short ids are refused"],
    [{ repository: GITHUB, commit: COMMIT, folder: "../x" }, "benchmark.folder: '../x' must be a relative path"],
    [{ repository: GITHUB, commit: COMMIT, folder: "/x" }, "benchmark.folder"],
    [{ repository: "github.com/o/n", commit: COMMIT }, "benchmark.repository: 'github.com/o/n' is no https address"],
    [{ repository: "git@github.com:o/n.git", commit: COMMIT }, "is no https address"],
    [{ repository: "http://github.com/o/n", commit: COMMIT }, "is no https address"],
    [{ repository: "https://github.com/owner", commit: COMMIT }, "is no repository"],
    [
      { repository: `${GITHUB}/tree/main`, commit: COMMIT },
      "leads into a repository: give https://github.com/owner/name",
    ],
    [{ repository: `${GITHUB}?ref=main`, commit: COMMIT }, "is no repository"],
    [{ repository: "https://github.com/..%2f/n", commit: COMMIT }, "is no repository"],
    [{ repository: "https://me:secret@github.com/o/n", commit: COMMIT }, "must not hold a user name or password"],
    [{ repository: "https://git.example.org/o/n", commit: COMMIT }, "give benchmark.archive too"],
    [
      { repository: GITHUB, commit: COMMIT, archive: "https://x.org/main.tgz" },
      "benchmark.archive: must hold {commit}",
    ],
    [{ repository: GITHUB, commit: COMMIT, archive: "http://x.org/{commit}" }, "must be an https address"],
    [{ repository: GITHUB, commit: COMMIT, archive: "{commit}" }, "is no address"],
    [{ repository: GITHUB, commit: COMMIT, archive: "https://me:secret@x.org/{commit}" }, "must not hold a user name"],
  ])("refuse %o", (params, message) => {
    expect(said(params)).toContain(message);
    expect(said(params)).not.toContain("secret");
  });

  it("know where GitHub and GitLab keep archives", () => {
    expect(pinnedSource(`${GITHUB}.git`, COMMIT, undefined)).toEqual({
      repository: GITHUB,
      commit: COMMIT,
      archive: `${GITHUB}/archive/${COMMIT}.tar.gz`,
      parts: ["owner", "name"],
    });
    const gitlab = pinnedSource("https://gitlab.com/group/sub/name", COMMIT, undefined);
    expect(gitlab.archive).toBe(`https://gitlab.com/group/sub/name/-/archive/${COMMIT}/name-${COMMIT}.tar.gz`);
  });
});
