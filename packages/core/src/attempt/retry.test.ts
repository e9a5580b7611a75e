import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Issue } from "../result/issue.ts";
import { backoffSeconds, decideRetry, type RetryPolicy, retryReason } from "./retry.ts";

const issue = (severity: Issue["severity"], code = "model_failed", message = "HTTP 500"): Issue => ({
  severity,
  phase: "run",
  code,
  message,
});

const policy: RetryPolicy = { maxRetries: 3, patterns: null, minDelaySeconds: 5, maxDelaySeconds: 60 };

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
    expect(decideRetry([issue("fatal")], 3, policy, () => 0)).toEqual({ retry: false });
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
