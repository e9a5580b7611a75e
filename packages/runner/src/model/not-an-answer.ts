import { ModelFailure } from "@agentcompass/core/plugin";
import { type Fields, isFields, isTooDeep, textOf } from "./fields.ts";
import { startOf } from "./redact.ts";
import { refusalCode } from "./refusal.ts";

/** The JSON object that an endpoint sent, whatever content type it gave. Throws ModelFailure `protocol` for anything else. */
export function jsonObject(body: unknown, address: string): Fields {
  const value = typeof body === "string" ? parseJson(body, address) : body;
  if (!isFields(value)) throw wrongKind(address, "an answer that is not a JSON object", "a JSON object");
  if (isTooDeep(value)) throw wrongKind(address, "an answer with too many levels", "a JSON object");
  return value;
}

/** An answer with status 200 that is none: some gateways send their errors so, and those keep their code. */
export function notAnAnswer(body: Fields, address: string, expected: string, missing: string): ModelFailure {
  const error = isFields(body["error"]) ? body["error"] : {};
  const said = textOf(body["error"]) ?? textOf(error["message"]);
  if (said === null) return wrongKind(address, `an answer without ${missing}`, expected);
  const code = refusalCode({ status: 400, text: said, code: textOf(error["code"]) });
  const what = `no ${missing.replace(/^an? /, "")} but the error "${startOf(said, 200)}"`;
  return wrongKind(address, what, expected, code);
}

function parseJson(body: string, address: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw wrongKind(address, `text that is not JSON: ${JSON.stringify(startOf(body, 80))}`, "a JSON object");
  }
}

function wrongKind(address: string, found: string, expected: string, code?: ModelFailure["code"]): ModelFailure {
  const message = `${address} sent ${found}; expected ${expected}, check that base_url and api_protocol fit together`;
  return new ModelFailure("protocol", message, code === undefined ? {} : { code });
}
