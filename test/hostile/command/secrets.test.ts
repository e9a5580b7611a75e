import { describe, expect, it } from "vitest";
import { evaluateHunter, expectNothingGiven, expectOrdinaryUserIsTold, exposures } from "../secret-hunt.ts";

function asRoot(): void {
  it("runs as another user and reads nothing of the caller's processes, home, results and state, nor of another task", async () => {
    const { ended, loot, keysSent } = await evaluateHunter("${MODEL_KEY}");
    expect(ended.code).toBe(0);
    expect([...keysSent]).toEqual(["Bearer CANARY-key"]);
    expectNothingGiven(loot);
    expect(Number(loot["uid"])).toBeGreaterThanOrEqual(61_184);
    for (const section of ["environ", "home", "results", "state", "sessions"])
      expect([section, loot[section]?.trim()]).toEqual([section, ""]);
    expect(exposures(ended)).toEqual([expect.stringContaining("what every user may read stays readable")]);
  });
}

function asOrdinaryUser(): void {
  it("is given no secret, and the run says in one line what it could read all the same", async () => {
    expectOrdinaryUserIsTold(process.getuid?.() ?? -1, await evaluateHunter("${MODEL_KEY}"));
  });
}

const isRoot = process.getuid?.() === 0;
describe(isRoot ? "a hostile agent, started as root" : "a hostile agent, started as an ordinary user", () => {
  (isRoot ? asRoot : asOrdinaryUser)();

  it("does not find a key on the command line of the caller, also where it was given as text", async () => {
    const { ended, loot, keysSent } = await evaluateHunter("CANARY-text");
    expect(ended.code).toBe(0);
    expect([...keysSent]).toEqual(["Bearer CANARY-text"]);
    expectNothingGiven(loot);
    expect(loot["cmdline"]).toContain("--model-api-key ********");
  });
});
