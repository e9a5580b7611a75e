import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hiddenTexts, REDACTED, redact, redactText } from "./redact.ts";

describe("redact", () => {
  it.each([
    "api_key",
    "apiKey",
    "API-KEY",
    "client_secret",
    "access_token",
    "some_jwt",
    "db_password",
    "aksk",
    "token",
    "Authorization",
    "set-cookie",
    "request_key",
  ])("hides the value of %s", (key) => {
    expect(redact({ [key]: "value" })).toEqual({ [key]: REDACTED });
  });

  it.each(["wrap_api_key", "tokens", "max_tokens", "monkey", "keyboard", "name"])("shows the value of %s", (key) => {
    expect(redact({ [key]: "value" })).toEqual({ [key]: "value" });
  });

  it.each(["headers", "env", "env_variables", "run_env_variables", "credentials", "auth"])(
    "hides every leaf of %s",
    (key) => {
      expect(redact({ [key]: { a: "x", b: ["y", { c: 1 }] } })).toEqual({
        [key]: { a: REDACTED, b: [REDACTED, { c: REDACTED }] },
      });
    },
  );

  it("hides the password and the query values of addresses", () => {
    expect(redact({ base_url: "https://u:p@h/v1?api-version=1&sig=abc#x" })).toEqual({
      base_url: `https://${REDACTED}@h/v1?api-version=${REDACTED}&sig=${REDACTED}#x`,
    });
    expect(redact({ base_url: "http://127.0.0.1:8080/v1", repo_url: "git@host:x" })).toEqual({
      base_url: "http://127.0.0.1:8080/v1",
      repo_url: "git@host:x",
    });
  });

  it("keeps null, empty texts and whole references", () => {
    const value = { api_key: "", token: null, password: "${DB_PASSWORD}", headers: { a: "${X}" } };
    expect(redact(value)).toEqual(value);
    expect(redact({ api_key: "x${Y}" })).toEqual({ api_key: REDACTED });
  });

  it("hides a secret wherever it stands in a structure", () => {
    const secret = "canary-4711-secret";
    const nested = fc.letrec((tie) => ({
      leaf: fc.record({ api_key: fc.constant(secret), n: fc.integer() }),
      node: fc.oneof(
        tie("leaf"),
        fc.array(tie("node"), { maxLength: 3 }),
        fc.dictionary(fc.string(), tie("node"), { maxKeys: 3 }),
      ),
    })).node;
    fc.assert(fc.property(nested, (value) => !JSON.stringify(redact(value)).includes(secret)));
  });
});

describe("redactText", () => {
  it.each([
    ["Authorization: Bearer abc.def-123", `Authorization: Bearer ${REDACTED}`],
    ["api_key=verysecret&x=1", `api_key=${REDACTED}&x=1`],
    ["password: hunter22", `password: ${REDACTED}`],
    ["http://user:pass@host/v1", `http://${REDACTED}@host/v1`],
    ["key sk-abcdefghijkl0123 failed", `key ${REDACTED} failed`],
  ])("cleans %s", (text, clean) => {
    expect(redactText(text)).toBe(clean);
  });

  it("removes known secrets and values of secret variables of at least eight characters", () => {
    const env = { MY_API_KEY: "env-secret-1", SHORT_TOKEN: "abc", HOME: "/home/someone" };
    const text = "env-secret-1 known-secret abc /home/someone";
    expect(redactText(text, { secrets: ["known-secret"], env })).toBe(`${REDACTED} ${REDACTED} abc /home/someone`);
  });
});

it("lists what is hidden, to take it out of texts", () => {
  const value = {
    judge: {
      api_key: "k-1",
      base_url: "https://h/v1?sig=abc",
      model: "m",
      params: { extra_headers: { "x-token": "t" } },
    },
    list: [{ password: "p" }, { token: "${TOKEN}" }, { secret_key: null }],
  };
  expect(hiddenTexts(value)).toEqual(["k-1", "abc", "t", "p"]);
});
