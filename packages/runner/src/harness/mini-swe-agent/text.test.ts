import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keptOutput, observationText } from "./observation.ts";
import { submissionOf } from "./submission.ts";

const result = (output: string, over: object = {}) => ({
  output,
  returncode: 0,
  exception_info: "",
  dropped_bytes: 0,
  ...over,
});
const read = (output: string, over?: object) => JSON.parse(observationText(result(output, over)));

describe("what a command printed, as the model is told", () => {
  it("is JSON of plain ASCII without markup", () => {
    expect(observationText(result("<a href='x'>é&\u{1f600}</a>\n", { returncode: 2 }))).toBe(
      '{\n  "returncode": 2,\n  "output": "\\u003ca href=\\u0027x\\u0027\\u003e\\u00e9\\u0026\\ud83d\\ude00\\u003c/a\\u003e\\n"\n}',
    );
  });

  it("is whole below 10000 characters", () => {
    expect(read("x".repeat(9999)).output).toHaveLength(9999);
    expect(read("\u{1f600}".repeat(9999)).output).toBe("\u{1f600}".repeat(9999));
  });

  it("keeps 5000 characters of either end from there on and counts the others", () => {
    const output = `${"a".repeat(5000)}middle${"z".repeat(5000)}`;
    expect(read(output)).toMatchObject({
      output_head: "a".repeat(5000),
      output_tail: "z".repeat(5000),
      elided_chars: 6,
    });
    expect(read("x".repeat(10_000))).toMatchObject({ elided_chars: 0 });
    expect(read(output, { dropped_bytes: 100 }).elided_chars).toBe(106);
  });

  it("counts characters outside of the basic plane once and cuts none in two", () => {
    const shown = read("\u{1f600}".repeat(10_001));
    expect(shown).toMatchObject({ output_head: "\u{1f600}".repeat(5000), output_tail: "\u{1f600}".repeat(5000) });
    expect(shown.elided_chars).toBe(1);
  });

  it("says why there is no status", () => {
    expect(read("", { returncode: -1, exception_info: "stopped" })).toEqual({
      returncode: -1,
      output: "",
      exception_info: "stopped",
    });
  });

  it("comes back from its JSON as it was", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (output) => {
        expect(read(output).output).toBe(output);
      }),
    );
  });

  it("is kept in trajectories with its middle left out when it is long", () => {
    expect(keptOutput("x".repeat(65_536))).toHaveLength(65_536);
    expect(keptOutput(`${"a".repeat(40_000)}${"z".repeat(40_000)}`)).toContain("\n[14464 characters left out]\n");
  });
});

describe("a submission", () => {
  const MARKER = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT";

  it.each([
    { case: "nothing below the marker", output: `${MARKER}\n`, submission: "" },
    { case: "no line end", output: MARKER, submission: "" },
    { case: "lines below", output: `${MARKER}\na\n b\n`, submission: "a\n b\n" },
    { case: "blank lines above", output: ` \n\u00a0\n\t${MARKER} \u0085x`, submission: "x" },
    { case: "blanks behind the marker", output: `${MARKER} \t\n42`, submission: "42" },
    { case: "a form feed as line end", output: `${MARKER}\fx`, submission: "x" },
    { case: "a text line above", output: `x\n${MARKER}\n`, submission: undefined },
    { case: "more on the marker's line", output: `${MARKER} done\n`, submission: undefined },
    { case: "a longer word", output: `${MARKER}S\n`, submission: undefined },
    { case: "a byte order mark", output: `\ufeff${MARKER}\n`, submission: undefined },
    { case: "no output", output: "", submission: undefined },
  ])("with $case", ({ output, submission }) => {
    expect(submissionOf(result(output))).toBe(submission);
  });

  it("is none of a command that failed", () => {
    expect(submissionOf(result(`${MARKER}\nx`, { returncode: 1 }))).toBeUndefined();
  });
});
