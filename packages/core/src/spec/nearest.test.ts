import { expect, it } from "vitest";
import { nearest } from "./nearest.ts";

const KNOWN = ["input", "output", "name", "host_process"];

it.each([
  ["inptu", "input"],
  ["inpu", "input"],
  ["imput", "input"],
  ["inpput", "input"],
  ["nmae", "name"],
  ["Host_Porcess", "host_process"],
  ["naem", "name"],
  ["", undefined],
  ["nothing", undefined],
  ["eman", undefined],
])("nearest to %j is %j", (written, meant) => {
  expect(nearest(written, KNOWN)).toBe(meant);
});
