/** How the states of requests and of an orchestration follow from what happened (reference 3.10, 3.12). */
import { writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { failing, openLab } from "./lab.ts";

type Outcomes = Readonly<Record<string, { readonly status: string; readonly result: unknown; readonly error: string }>>;

const requestsOf = (stdout: string): Outcomes => JSON.parse(stdout).requests;
const statuses = (outcomes: Outcomes) =>
  Object.fromEntries(Object.entries(outcomes).map(([name, one]) => [name, one.status]));

const NO_DATA = { name: "no-data", benchmark: { id: "jsonl", path: "absent.jsonl" } };
const MISCONFIGURED = { name: "misconfigured", harness: { id: "openai_chat", max_retrys: 3 } };

describe("a launch", () => {
  it("with a failing, a good, a misconfigured and a no-data request: partial_failure, exit 1, the good one completed", async () => {
    const lab = await openLab(({ body }) => (body.model === "bad" ? failing : {}));
    const bad = { id: "bad", base_url: lab.model.url, api_key: "k" };
    const { code, stdout, stderr } = await lab.launch("suite.yaml", [
      { name: "failing", model: bad },
      { name: "good" },
      MISCONFIGURED,
      NO_DATA,
    ]);
    const requests = requestsOf(stdout);
    expect([code, JSON.parse(stdout).status]).toEqual([1, "partial_failure"]);
    expect(statuses(requests)).toEqual({
      failing: "failed",
      good: "completed",
      misconfigured: "failed",
      "no-data": "failed",
    });
    expect([
      requests["failing"]?.result !== null,
      requests["misconfigured"]?.result,
      requests["no-data"]?.result,
    ]).toEqual([true, null, null]);
    expect(requests["failing"]?.error).toMatch(/^Final FATAL issues; results: \/.*failing/);
    expect(requests["misconfigured"]?.error).toContain("max_retrys");
    expect(requests["no-data"]?.error).toContain("absent.jsonl");
    expect(stderr).not.toMatch(/^\s+at /m);
    expect((await lab.look("r", "failing")).ends).toEqual(["failed"]);
    expect((await lab.look("r", "good")).ends).toEqual(["completed"]);
  });

  it("is completed with exit 0 when every request is", async () => {
    const lab = await openLab([{}]);
    const { code, stdout } = await lab.launch("suite.yaml", [{ name: "one" }, { name: "two" }]);
    expect([code, JSON.parse(stdout).status]).toEqual([0, "completed"]);
  });

  it("is partial_failure also when every request failed", async () => {
    const lab = await openLab([failing]);
    const { code, stdout } = await lab.launch("suite.yaml", [{ name: "failing" }, NO_DATA]);
    expect([code, JSON.parse(stdout).status]).toEqual([1, "partial_failure"]);
  });

  it("is timed_out when its deadline comes: finished requests keep their result, open ones have none", async () => {
    const lab = await openLab(({ body }) => (body.model === "slow" ? { hang: "request" } : {}));
    const slow = { id: "slow", base_url: lab.model.url, api_key: "k" };
    const { code, stdout } = await lab.launch(
      "suite.yaml",
      [{ name: "quick" }, { name: "slow", model: slow }],
      ["--timeout-seconds", "3.5"],
    );
    expect([code, JSON.parse(stdout).status]).toEqual([1, "timed_out"]);
    const requests = requestsOf(stdout);
    expect(statuses(requests)).toEqual({ quick: "completed", slow: "timed_out" });
    expect([requests["quick"]?.result !== null, requests["slow"]?.result]).toEqual([true, null]);
    expect((await lab.look("r", "slow")).info.status).toBe("timed_out");
  });

  it("fails the request without tasks alone, where AgentCompass completes it", async () => {
    const lab = await openLab([{}]);
    await writeFile(`${lab.cwd}/empty.jsonl`, "\n");
    const empty = { name: "empty", benchmark: { id: "jsonl", path: "empty.jsonl" } };
    const { code, stdout } = await lab.launch("suite.yaml", [empty, { name: "good" }]);
    expect([code, statuses(requestsOf(stdout))]).toEqual([1, { empty: "failed", good: "completed" }]);
  });
});
