import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { taskDirectory } from "./layout.ts";

describe("taskDirectory", () => {
  it("is the readable prefix and the hash of the exact id, as AgentCompass names it", () => {
    expect(taskDirectory("arith_four_0")).toBe(
      "arith_four_0--f926988a4004f5120920ce72f104cfe19bb3761f95e53590de56571eef43a8b7",
    );
  });

  it("keeps equal signs, and whatever stands at the cut after 80 characters", () => {
    expect(taskDirectory("?x=1&y#z")).toMatch(/^x=1_y_z--/);
    expect(taskDirectory(`${"a".repeat(79)}/b`)).toMatch(/^a{79}_--/);
  });

  it.each(["..", "/", "模型a", "   x", "...", "a".repeat(300), "a\u0000b", "\ud800"])(
    "is one safe name for %j",
    (id) => {
      const name = taskDirectory(id);
      expect(name).toMatch(/^[A-Za-z0-9_][A-Za-z0-9._-]*--[0-9a-f]{64}$/);
      expect(name.length).toBeLessThanOrEqual(80 + 2 + 64);
    },
  );

  it("never gives two ids one name", () => {
    const odd = fc.array(fc.constantFrom("a", "+", " ", "/", ":", ".", "模", "数", "é", "\ud800", "\ud801"), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(odd, odd, (left, right) => {
        const [one, two] = [left.join(""), right.join("")];
        return one === two || taskDirectory(one) !== taskDirectory(two);
      }),
    );
  });
});
