import { describe, expect, it } from "vitest";
import { formatClock, formatCost, formatCount, formatDuration, formatScore } from "./format.ts";
import { logLine } from "./log.ts";
import { truncateMiddle } from "./shorten.ts";
import { renderTable } from "./table.ts";
import { displayWidth, oneLine, truncate } from "./width.ts";
import { yamlText } from "./yaml.ts";

describe("text output", () => {
  it("aligns columns and leaves no blanks at the end of a line", () => {
    const text = renderTable({
      header: ["Name", "N"],
      rows: [
        ["ünïcode", "1"],
        ["b", "10"],
      ],
      right: [1],
    });
    expect(text).toBe("Name      N\n-------  --\nünïcode   1\nb        10\n");
  });

  it("cuts text to a width", () => {
    expect(truncate("abcdef", 4)).toBe("abc…");
    expect(truncate("abc", 3)).toBe("abc");
    expect(truncate("abc", 0)).toBe("");
    expect(truncateMiddle("abcdefghij", 5)).toBe("ab…ij");
  });

  it("knows that some characters take two columns and some none", () => {
    expect(["abc", "日本", "e\u0301", "🚀"].map(displayWidth)).toEqual([3, 4, 1, 2]);
    expect(truncate("日本語", 5)).toBe("日本…");
    expect(truncate("日本語", 4)).toBe("日…");
  });

  it("lets no name move the cursor", () => {
    expect(oneLine("a\u001b[2Jb\r\n  c\u0007")).toBe("a?[2Jb c?");
  });

  it("writes numbers for people", () => {
    expect([0.25, null].map(formatScore)).toEqual(["0.2500", "-"]);
    expect([950, 12_300, 4_560_000].map(formatCount)).toEqual(["950", "12.3k", "4.56M"]);
    expect([0, 0.0123, 12.5].map(formatCost)).toEqual(["$0.00", "$0.0123", "$12.50"]);
    expect([0.84, 42, 185, 7620].map(formatDuration)).toEqual(["0.8 s", "42 s", "3 m 05 s", "2 h 07 m"]);
    expect([9.96, 59.7, 3599.6].map(formatDuration)).toEqual(["10 s", "1 m 00 s", "1 h 00 m"]);
  });

  it("writes a log record as one line, with the request where there are several", () => {
    const record = {
      level: "INFO",
      source: "runner",
      message: "two\nlines",
      request: { index: 1, name: "b" },
    } as const;
    const time = new Date(2026, 0, 2, 3, 4, 5);
    expect(formatClock(time)).toBe("03:04:05");
    expect(logLine(record, time, true)).toBe("03:04:05 INFO     [02:b] runner two lines");
    expect(logLine(record, time, false)).toBe("03:04:05 INFO     runner two lines");
  });

  it("writes YAML that AgentCompass reads back as it was", () => {
    const shared = { a: 1 };
    expect(yamlText({ text: "yes", none: null, first: shared, second: shared })).toBe(
      'text: "yes"\nnone: null\nfirst:\n  a: 1\nsecond:\n  a: 1\n',
    );
  });
});
