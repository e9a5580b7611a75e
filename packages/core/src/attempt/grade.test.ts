import { describe, expect, it } from "vitest";
import { EnvironmentFailure, ModelFailure, StageFailure } from "../plugin/index.ts";
import { gradeFailure, type Stage, StageTimeout } from "./grade.ts";

const status = (code: number): ModelFailure => new ModelFailure("status", `HTTP ${code}`, { status: code });

describe("gradeFailure", () => {
  it.each([
    [401, "fatal"],
    [402, "fatal"],
    [403, "fatal"],
    [429, "fatal"],
    [500, "fatal"],
    [503, "fatal"],
    [400, "error"],
    [404, "error"],
    [422, "error"],
  ] as const)("grades HTTP %i of the model as %s", (code, severity) => {
    expect(gradeFailure(status(code), "run")).toMatchObject({ severity, phase: "run", code: "model_failed" });
  });

  it.each([
    ["a connection error", new ModelFailure("connection", "refused"), "error", "model_failed"],
    ["a model timeout", new ModelFailure("timeout", "late"), "error", "model_timeout"],
    [
      "too long a context, also when the server calls it its own failure",
      new ModelFailure("status", "long", { status: 500, code: "model_context_overflow" }),
      "error",
      "model_context_overflow",
    ],
    [
      "a parameter that the endpoint refuses",
      new ModelFailure("status", "no seed", { status: 400, code: "model_parameter_unsupported" }),
      "error",
      "model_parameter_unsupported",
    ],
    ["a lost environment", new EnvironmentFailure("gone"), "fatal", "environment_failed"],
    ["a harness exception", new TypeError("oops"), "fatal", "harness_failed"],
    ["the watchdog", new StageTimeout("the run", 5, "execution.run_timeout_seconds 5"), "error", "run_failed"],
    [
      "a harness exception caused by a timeout",
      new Error("x", { cause: new StageTimeout("y", 1, "z") }),
      "error",
      "harness_failed",
    ],
  ] as const)("grades %s in a run", (_case, error, severity, code) => {
    expect(gradeFailure(error, "run")).toMatchObject({ severity, code, phase: "run" });
  });

  it.each([
    ["setup", "fatal", "setup_failed"],
    ["collect", "fatal", "collect_failed"],
    ["evaluate", "error", "evaluate_failed"],
    ["cleanup", "warning", "environment_failed"],
  ] as const)("grades an unknown exception in %s as %s %s", (stage, severity, code) => {
    expect(gradeFailure(new Error("x"), stage as Stage)).toEqual({ severity, phase: stage, code, message: "x" });
  });

  it("keeps the grade that a component gave and the first line of its text", () => {
    const error = new StageFailure("warning", " judge_failed ", "one\ntwo", { phase: "evaluate" });
    expect(gradeFailure(error, "run")).toEqual({
      severity: "warning",
      phase: "evaluate",
      code: "judge_failed",
      message: "one",
    });
  });
});
