import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AttemptResult } from "../result/attempt-result.ts";
import {
  decideEarlyEnd,
  fatalEndOf,
  NOTHING_OBSERVED,
  observe,
  type TaskEnd,
  UNREACHED_TASK_LIMIT,
} from "./breaker.ts";

const end = fc.record<TaskEnd>({
  calls: fc.nat(3),
  reached: fc.boolean(),
  fatal: fc.option(fc.record({ code: fc.constantFrom("a", "b"), message: fc.string() }), { nil: undefined }),
});
const ends = fc.array(end, { maxLength: 12 });
const after = (list: readonly TaskEnd[]) => list.reduce(observe, NOTHING_OBSERVED);
const fatal = (code: string, message = ""): TaskEnd => ({ calls: 1, reached: true, fatal: { code, message } });
const good: TaskEnd = { calls: 1, reached: true, fatal: undefined };

describe("a request that never reaches its model", () => {
  it("ends only after tasks that called in vain, and never once a call has reached one", () => {
    fc.assert(
      fc.property(ends, (list) => {
        const early = decideEarlyEnd(after(list), 0);
        const vain = list.filter((one) => one.calls > 0).length;
        const expected = !list.some((one) => one.reached) && vain >= UNREACHED_TASK_LIMIT;
        expect(early?.kind).toBe(expected ? "never_reached" : undefined);
      }),
    );
  });

  it("is not judged by tasks that call no model, however many there are", () => {
    const silent = { calls: 0, reached: false, fatal: undefined };
    expect(decideEarlyEnd(after(Array.from({ length: 100 }, () => silent)), 10)).toBeUndefined();
  });
});

describe("a request whose tasks all end in one FATAL code", () => {
  it("ends exactly when so many have and none ended otherwise", () => {
    fc.assert(
      fc.property(ends, fc.nat(6), (list, limit) => {
        const reached = list.map((one) => ({ ...one, reached: true }));
        const codes = new Set(reached.map((one) => one.fatal?.code));
        const expected = limit > 0 && reached.length >= limit && codes.size === 1 && !codes.has(undefined);
        expect(decideEarlyEnd(after(reached), limit)?.kind).toBe(expected ? "same_fatal" : undefined);
      }),
    );
  });

  it("never ends once one task has ended otherwise, whatever follows", () => {
    fc.assert(
      fc.property(ends, ends, fc.integer({ min: 1, max: 5 }), (before, later, limit) => {
        const list = [...before, good, ...later].map((one) => ({ ...one, reached: true }));
        expect(decideEarlyEnd(after(list), limit)).toBeUndefined();
      }),
    );
  });

  it("keeps the message of the first", () => {
    const list = [fatal("model_failed", "HTTP 401"), fatal("model_failed", "HTTP 403")];
    expect(decideEarlyEnd(after(list), 2)).toEqual({
      kind: "same_fatal",
      tasks: 2,
      code: "model_failed",
      message: "HTTP 401",
    });
  });

  it("goes on when the limit is 0", () => {
    expect(decideEarlyEnd(after(Array.from({ length: 50 }, () => fatal("x"))), 0)).toBeUndefined();
  });
});

describe("fatalEndOf", () => {
  const attempt = (...codes: string[]) =>
    ({
      issues: codes.map((code) => ({ severity: "fatal", phase: "run", code, message: `m ${code}` })),
    }) as unknown as AttemptResult;

  it("speaks for a task only when all its attempts ended in the same code", () => {
    expect(fatalEndOf({ attempts: { 1: attempt("x", "y"), 2: attempt("x") } })).toEqual({ code: "x", message: "m x" });
    expect(fatalEndOf({ attempts: { 1: attempt("x"), 2: attempt("y") } })).toBeUndefined();
    expect(fatalEndOf({ attempts: { 1: attempt("x"), 2: attempt() } })).toBeUndefined();
    expect(fatalEndOf({ attempts: {} })).toBeUndefined();
  });
});
