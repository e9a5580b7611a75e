import { describe, expect, it } from "vitest";
import { settleWholeFloats } from "./whole-float.ts";
import { parseYaml } from "./yaml.ts";

const settle = (text: string): unknown => {
  const { value, wholeFloats } = parseYaml(text, "f.yaml");
  return settleWholeFloats(value, wholeFloats, { path: "", file: "f.yaml" });
};

describe("settleWholeFloats", () => {
  it("keeps the point where a text is wanted", () => {
    expect(settle("name: 2.0\nrequests:\n- name: 1.0\n  output: {run_id: 3.}\n  model: {id: 1}\n")).toEqual({
      name: "2.0",
      requests: [{ name: "1.0", output: { run_id: "3.0" }, model: { id: 1 } }],
    });
  });

  it("keeps the number in parameters and where a fraction is allowed", () => {
    const text = "version: 1.0\nrequests:\n- model: {params: {name: 1.0}}\n  execution: {run_timeout_seconds: 5.0}\n";
    expect(settle(text)).toEqual({
      version: 1,
      requests: [{ model: { params: { name: 1 } }, execution: { run_timeout_seconds: 5 } }],
    });
  });

  it.each([
    ["task_concurrency: 3.0", "task_concurrency"],
    ["requests:\n- execution: {attempts: {k: 2.0}}", "requests[0].execution.attempts.k"],
    ["execution: {task_concurrency: 5.0}", "execution.task_concurrency"],
  ])("refuses a point where only an integer is allowed: %s", (text, path) => {
    expect(() => settle(text)).toThrow(`f.yaml: ${path}: must be a whole number`);
  });
});
