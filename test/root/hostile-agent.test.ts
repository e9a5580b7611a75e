import { expect, it } from "vitest";
import { evaluateHunter, expectNothingGiven, expectOrdinaryUserIsTold, exposures } from "../hostile/secret-hunt.ts";

const NOBODY = 65_534;

it("finds as an ordinary user what the run says in one line, and as root nothing of it", async () => {
  expectOrdinaryUserIsTold(NOBODY, await evaluateHunter("${MODEL_KEY}", NOBODY));
  const { ended, loot } = await evaluateHunter("${MODEL_KEY}");
  expectNothingGiven(loot);
  for (const section of ["environ", "home", "results", "state", "sessions"])
    expect([section, loot[section]?.trim()]).toEqual([section, ""]);
  expect(exposures(ended)).toEqual([expect.stringContaining("what every user may read stays readable")]);
});
