import { describe, expect, it } from "vitest";
import type { PreparedTask } from "../plugin/index.ts";
import { deadlineVariables, tellDeadline } from "./deadline.ts";

const LINE = "Time limit: 90 seconds from now. What is not finished by then is stopped and judged as it stands.";

function prepared(input: Partial<PreparedTask["input"]>): PreparedTask {
  const empty = { prompt: "", system_prompt: null, media: [], files: [], workspace: null, tools: [], messages: [] };
  return {
    task_id: "t",
    category: null,
    ground_truth: null,
    input: { ...empty, ...input },
    output: { answer: null, files: [] },
    metadata: {},
  };
}

describe("tellDeadline", () => {
  it("adds a line to a plain prompt, also to one that only looks like a list", () => {
    for (const prompt of ["Fix it.", "[1, 2] sums to?", "[]x", "[3]"])
      expect(tellDeadline(prepared({ prompt }), 90.7).input.prompt).toBe(`${prompt}\n\n${LINE}`);
  });

  it("keeps a prompt of JSON messages one, and adds to the user's last word", () => {
    const prompt = JSON.stringify([
      { role: "system", content: "s" },
      { role: "user", content: "u" },
    ]);
    expect(JSON.parse(tellDeadline(prepared({ prompt }), 90).input.prompt)).toEqual([
      { role: "system", content: "s" },
      { role: "user", content: `u\n\n${LINE}` },
    ]);
  });

  it("adds to messages, which come before the prompt, as a word of its own where the last is none of the user", () => {
    const parts = { role: "user", content: [{ type: "text", text: "u" }] };
    const { input } = tellDeadline(prepared({ prompt: "p", messages: [parts] }), 90);
    expect(input).toMatchObject({ prompt: "p", messages: [parts, { role: "user", content: LINE }] });
  });

  it("says less than ten seconds to a tenth", () => {
    expect(tellDeadline(prepared({ prompt: "p" }), 0.55).input.prompt).toContain("Time limit: 0.6 seconds");
  });
});

describe("deadlineVariables", () => {
  it("hold whole seconds since the epoch, and nothing without a deadline", () => {
    expect(deadlineVariables(1_767_225_600_999)).toEqual({ AGENTCOMPASS_DEADLINE: "1767225600" });
    expect(deadlineVariables(undefined)).toEqual({});
  });
});
