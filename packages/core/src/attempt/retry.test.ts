import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Issue } from "../result/issue.ts";
import type { ModelRefusal } from "./model-refusal.ts";
import {
  backoffSeconds,
  decideRetry,
  RETRY_AFTER_CAP_SECONDS,
  type RetryAsk,
  type RetryPolicy,
  retryReason,
} from "./retry.ts";

const issue = (severity: Issue["severity"], code = "model_failed", message = "HTTP 500"): Issue => ({
  severity,
  phase: "run",
  code,
  message,
});

const policy: RetryPolicy = { maxRetries: 3, patterns: null, minDelaySeconds: 5, maxDelaySeconds: 60, isStrict: false };

const NOW = 1_000_000;

const after = (issues: readonly Issue[], retriesDone = 0, refusal?: ModelRefusal): RetryAsk => ({
  issues,
  retriesDone,
  refusal,
  now: NOW,
});

const refusal = (status: number | null, code = "model_failed", notBefore: number | null = null): ModelRefusal => ({
  status,
  code,
  notBefore,
});

describe("retryReason", () => {
  it("names fatal issues before any pattern", () => {
    expect(retryReason([issue("error"), issue("fatal")], ["500"])).toBe("fatal");
  });

  it("searches patterns in the code and the message of errors alone", () => {
    expect(retryReason([issue("error", "model_timeout")], ["timeout$"])).toBe("timeout$");
    expect(retryReason([issue("error")], ["HTTP 5\\d\\d"])).toBe("HTTP 5\\d\\d");
    expect(retryReason([issue("warning")], ["500"])).toBeUndefined();
  });

  it("retries no error without patterns", () => {
    expect(retryReason([issue("error")], null)).toBeUndefined();
    expect(retryReason([issue("error")], [])).toBeUndefined();
  });
});

describe("decideRetry", () => {
  it("stops when the budget is used up", () => {
    expect(decideRetry(after([issue("fatal")], 3), policy, () => 0)).toEqual({ retry: false });
  });

  it("doubles the wait up to the greatest delay", () => {
    const waits = [0, 1, 2, 3, 4, 9].map((done) => backoffSeconds(done, policy, () => 1));
    expect(waits).toEqual([5, 10, 20, 40, 60, 60]);
  });

  it("draws the wait from the upper half of its base", () => {
    fc.assert(
      fc.property(fc.nat(12), fc.double({ min: 0, max: 0.999999, noNaN: true }), (done, random) => {
        const base = Math.min(5 * 2 ** done, 60);
        const wait = backoffSeconds(done, policy, () => random);
        return wait >= base / 2 && wait <= base;
      }),
    );
  });
});

describe("the strict policy", () => {
  const strict: RetryPolicy = { ...policy, isStrict: true, patterns: ["HTTP"] };

  it.each([
    [401, "model_failed"],
    [402, "model_failed"],
    [403, "model_failed"],
    [404, "model_failed"],
    [400, "model_context_overflow"],
    [400, "model_parameter_unsupported"],
  ] as const)("does not retry %i %s, and says why; the compatible one does", (status, code) => {
    for (const severity of ["fatal", "error"] as const) {
      const ask = after([issue(severity, code, `HTTP ${status}`)], 0, refusal(status, code));
      const decision = decideRetry(ask, strict, () => 0);
      expect(decision).toMatchObject({ retry: false, heldBack: expect.stringMatching(/\w/) });
      expect(decideRetry(ask, { ...strict, isStrict: false }, () => 0)).toMatchObject({ retry: true });
    }
  });

  it("retries what may pass, and what has nothing to do with a model", () => {
    for (const one of [refusal(429), refusal(500), refusal(503), refusal(null), undefined])
      expect(decideRetry(after([issue("fatal")], 0, one), strict, () => 0)).toMatchObject({ retry: true });
  });

  it("retries a place that failed, though the model had refused before", () => {
    for (const code of ["environment_failed", "setup_failed", "collect_failed"])
      expect(decideRetry(after([issue("fatal", code)], 0, refusal(401)), strict, () => 0)).toMatchObject({
        retry: true,
      });
    const warned = [issue("warning", "environment_failed"), issue("fatal")];
    expect(decideRetry(after(warned, 0, refusal(401)), strict, () => 0)).toMatchObject({ retry: false });
  });

  it("says nothing of a retry that nobody asked for", () => {
    expect(decideRetry(after([], 0, refusal(401)), strict, () => 0)).toEqual({ retry: false });
    expect(decideRetry(after([issue("fatal")], 3, refusal(401)), strict, () => 0)).toEqual({ retry: false });
  });

  it("waits at least as long as the endpoint asks, up to the cap, and never less than the backoff", () => {
    const wait = fc.integer({ min: -10_000, max: 2_000_000 });
    fc.assert(
      fc.property(wait, fc.nat(2), fc.double({ min: 0, max: 0.999, noNaN: true }), (ms, done, random) => {
        const ask = after([issue("fatal")], done, refusal(429, "model_failed", NOW + ms));
        const decision = decideRetry(ask, strict, () => random);
        const backoff = backoffSeconds(done, strict, () => random);
        const least = Math.min(ms / 1000, RETRY_AFTER_CAP_SECONDS);
        return decision.retry && decision.delaySeconds === Math.max(backoff, least);
      }),
    );
  });

  it("leaves Retry-After to the calls' own retries when compatible", () => {
    const ask = after([issue("fatal")], 0, refusal(429, "model_failed", NOW + 500_000));
    expect(decideRetry(ask, policy, () => 0)).toMatchObject({ delaySeconds: 2.5 });
  });
});
