import { describe, expect, it } from "vitest";
import { categoryName, trimBlanks, UNCATEGORIZED } from "./category.ts";

describe("trimBlanks", () => {
  it("takes away what Python's strip does, at both ends alone", () => {
    expect(trimBlanks("\t\x1c\x1f\x85\u3000 a \x85b\u2028\n")).toBe("a \x85b");
    expect(trimBlanks(" \x1d\u200a ")).toBe("");
    expect(trimBlanks("\uFEFFa\u200B\u180E")).toBe("\uFEFFa\u200B\u180E");
  });

  it("is as fast for a million blanks in the middle", () => {
    const text = `a${" ".repeat(1_000_000)}b`;
    expect(trimBlanks(text)).toBe(text);
  });
});

it.each([null, undefined, "", "\x1f", "\x85\u2003"])("the category %j is uncategorized", (category) => {
  expect(categoryName(category)).toBe(UNCATEGORIZED);
});
