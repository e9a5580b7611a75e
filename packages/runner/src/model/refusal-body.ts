import { isFields, textOf } from "./fields.ts";

/** What the body of a refused request says. The packages keep only an `error` object; other servers put their text elsewhere. */
export type RefusalBody = {
  readonly message: string;
  /** The endpoint's own code, else its type of error. */
  readonly code: string | null;
  /** The parameter that it names. */
  readonly parameter: string | null;
};

export function refusalBody(body: unknown, text: string | undefined): RefusalBody {
  const error = isFields(body) && isFields(body["error"]) ? body["error"] : body;
  const facts = isFields(error) ? error : {};
  return {
    message: messageOf(body, text),
    code: textOf(facts["code"]) ?? textOf(facts["type"]),
    parameter: textOf(facts["param"]),
  };
}

function messageOf(body: unknown, text: string | undefined): string {
  if (typeof body === "string") return body;
  if (!isFields(body)) return text ?? "";
  const { error, message, detail } = body;
  for (const candidate of [error, isFields(error) ? error["message"] : undefined, message, detail]) {
    if (typeof candidate === "string" && candidate !== "") return candidate;
  }
  return JSON.stringify(body);
}
