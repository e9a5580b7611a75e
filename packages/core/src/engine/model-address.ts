import { AgentCompassError } from "../error.ts";
import type { ModelSpec, ResolvedOrchestration } from "../spec/resolved.ts";

/** What can be seen of a model's address and key before a call: throws `component.invalid` for what could never work. */
export function checkModelAddress(model: ModelSpec): void {
  if (model.base_url !== "") checkAddress(model.base_url);
  if (/[^\t\x20-\x7e]/.test(model.api_key.trim()))
    throw invalid(
      "model.api_key",
      "it holds characters that an HTTP header cannot carry; check how the key was copied",
    );
}

function checkAddress(text: string): void {
  let address: URL;
  try {
    address = new URL(text);
  } catch {
    throw invalid("model.base_url", `'${text}' is no address; it must look like http://host:port/v1`);
  }
  if (address.protocol !== "http:" && address.protocol !== "https:")
    throw invalid("model.base_url", `'${address.protocol}//' cannot be called; it must begin with http:// or https://`);
  if (address.username !== "" || address.password !== "")
    throw invalid("model.base_url", "a user and password in an address cannot be sent; give the key as model.api_key");
}

function invalid(path: string, message: string): AgentCompassError {
  return new AgentCompassError("component.invalid", `${path}: ${message}`);
}

/**
 * A reference to a variable that is not set must not send tasks and keys to the protocol's own address: a request whose base_url came
 * out empty that way is refused.
 */
export function refuseUnsetAddress(orchestration: ResolvedOrchestration, model: ModelSpec): void {
  if (model.base_url !== "" || model.id === "none") return;
  const unset = orchestration.warnings.find((line) => /model\.base_url: \$\{\w+\} is not set/.test(line));
  if (unset === undefined) return;
  const name = /\$\{\w+\}/.exec(unset)?.[0] ?? "the variable";
  throw invalid(
    "model.base_url",
    `${name} is not set; set it, or leave base_url out to call the protocol's own address`,
  );
}
