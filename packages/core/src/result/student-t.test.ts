import { describe, expect, it } from "vitest";
import { studentTQuantile } from "./student-t.ts";

describe("the quantile of Student's t", () => {
  it.each([
    [0.975, 1, 12.706204736175],
    [0.975, 2, 4.302652729749],
    [0.975, 3, 3.182446305284],
    [0.975, 9, 2.262157162798],
    [0.975, 29, 2.045229642133],
    [0.975, 120, 1.979930405082],
    [0.975, 1000, 1.962339080826],
    [0.95, 5, 2.015048373333],
    [0.995, 10, 3.169272672617],
    [0.6, 4, 0.270722294708],
  ])("at %f with %i degrees of freedom is the value of the tables", (probability, degrees, expected) => {
    expect(Math.abs(studentTQuantile(probability, degrees) / expected - 1)).toBeLessThan(1e-10);
  });

  it("approaches the normal quantile as the degrees of freedom grow", () => {
    expect(studentTQuantile(0.975, 1e9)).toBeCloseTo(1.959963984540054, 8);
  });

  it("is symmetric, and 0 in the middle", () => {
    expect(studentTQuantile(0.025, 7)).toBeCloseTo(-studentTQuantile(0.975, 7), 12);
    expect(studentTQuantile(0.5, 7)).toBe(0);
  });
});
