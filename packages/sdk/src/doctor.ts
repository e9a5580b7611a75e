import { access, constants } from "node:fs/promises";
import { resolve } from "node:path";
import { errorText } from "@agentcompass/core";
import { components } from "./catalog.ts";
import type { LaunchOptions } from "./options.ts";

export type ComponentOptions = Pick<LaunchOptions, "components" | "configPath">;

export type Check = { readonly name: string; readonly status: "ok" | "warning" | "missing"; readonly detail: string };

/** What works on this machine, and why the rest does not. Changes nothing but for making the state folder. */
export async function doctor(options: ComponentOptions = {}): Promise<{ readonly checks: readonly Check[] }> {
  const checks = await Promise.all([node(), permits(), results(), isolation(), ownComponents(options), later()]);
  return { checks: [...checks, ...credentials()] };
}

async function node(): Promise<Check> {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const fits = major > 20 || (major === 20 && minor >= 19);
  const detail = fits ? process.version : `${process.version}; 20.19 or newer is needed`;
  return { name: "node", status: fits ? "ok" : "missing", detail };
}

async function permits(): Promise<Check> {
  try {
    const { createLocalPorts, defaultStatePath } = await import("@agentcompass/local");
    const ports = await createLocalPorts({ statePath: defaultStatePath(process.env) });
    await ports.close();
    return {
      name: "permits",
      status: "ok",
      detail: `limits hold across processes by ${defaultStatePath(process.env)}`,
    };
  } catch (error) {
    return { name: "permits", status: "missing", detail: errorText(error) };
  }
}

async function results(): Promise<Check> {
  const path = resolve("results");
  try {
    await access(path, constants.W_OK).catch(() => access(resolve("."), constants.W_OK));
    return { name: "results", status: "ok", detail: `${path} can be written` };
  } catch (error) {
    return { name: "results", status: "missing", detail: `${path}: ${errorText(error)}; give --results-dir` };
  }
}

async function isolation(): Promise<Check> {
  const { builtinCatalog } = await import("@agentcompass/runner/catalog");
  const environment = await builtinCatalog().environment.get("host_process")?.load?.();
  const detail = environment?.exposure ?? "commands run apart from the caller";
  return { name: "host_process", status: environment?.exposure ? "warning" : "ok", detail };
}

/** What the files define that the configuration and the options name. */
async function ownComponents(options: ComponentOptions): Promise<Check> {
  const name = "own components";
  try {
    const { files = [] } = await components(options);
    if (files.length === 0) return { name, status: "ok", detail: "no file is named" };
    const each = files.map(
      (file) => `${file.components.map(({ kind, id }) => `${kind} ${id}`).join(", ")} (${file.path})`,
    );
    return { name, status: "ok", detail: each.join("; ") };
  } catch (error) {
    return { name, status: "missing", detail: errorText(error) };
  }
}

async function later(): Promise<Check> {
  const catalog = await components();
  const ids = [...catalog.benchmark.values(), ...catalog.harness.values(), ...catalog.environment.values()]
    .filter((descriptor) => descriptor.load === null)
    .map((descriptor) => descriptor.id);
  return { name: "later components", status: "warning", detail: `declared, not yet runnable: ${ids.join(", ")}` };
}

function credentials(): readonly Check[] {
  const set = Boolean(process.env["OPENAI_API_KEY"]);
  const detail = set
    ? "OPENAI_API_KEY is set; name it in --model-api-key as a ${...} reference"
    : "no OPENAI_API_KEY; give --model-api-key or none for a local endpoint";
  return [{ name: "model key", status: set ? "ok" : "warning", detail }];
}
