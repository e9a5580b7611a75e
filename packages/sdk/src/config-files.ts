import { access, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { AgentCompassError, errorText } from "@agentcompass/core";

export type ConfigText = { readonly path: string; readonly text: string };

/**
 * Texts of the configuration files, lowest precedence first: the user's, the nearest `config.yaml` of the working directory
 * or its ancestors, then the explicit ones in order. A path seen twice is read once. Implicit files may be absent.
 */
export async function readConfigFiles(
  explicit: string | readonly string[] | undefined,
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): Promise<ConfigText[]> {
  const implicit = [userConfig(env), await nearestConfig(cwd)].filter((path) => path !== undefined);
  const texts: ConfigText[] = [];
  const seen = new Set<string>();
  for (const path of implicit) if (await exists(path)) await add(path, texts, seen);
  for (const given of explicitPaths(explicit)) await add(resolve(cwd, expandHome(given, env)), texts, seen);
  return texts;
}

function explicitPaths(explicit: string | readonly string[] | undefined): readonly string[] {
  if (explicit === undefined) return [];
  if (typeof explicit !== "string") return explicit;
  if (!explicit.trimStart().startsWith("[")) return [explicit];
  try {
    const parsed: unknown = JSON.parse(explicit);
    if (Array.isArray(parsed) && parsed.every((item) => typeof item === "string")) return parsed;
  } catch {
    // Reported below with what is expected.
  }
  throw new AgentCompassError(
    "config.invalid",
    `config path ${explicit} begins like a list but is no JSON list of paths`,
  );
}

function userConfig(env: Readonly<Record<string, string | undefined>>): string {
  const base = env["XDG_CONFIG_HOME"] || join(env["HOME"] || homedir(), ".config");
  return join(base, "agentcompass", "config.yaml");
}

async function nearestConfig(cwd: string): Promise<string | undefined> {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const path = join(folder, "config.yaml");
    if (await exists(path)) return path;
    if (dirname(folder) === folder) return undefined;
  }
}

function expandHome(path: string, env: Readonly<Record<string, string | undefined>>): string {
  if (path !== "~" && !path.startsWith("~/")) return path;
  return join(env["HOME"] || homedir(), path.slice(1));
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function add(path: string, texts: ConfigText[], seen: Set<string>): Promise<void> {
  if (!isAbsolute(path) || seen.has(path)) return;
  seen.add(path);
  texts.push({ path, text: await readTextFile(path, "configuration file") });
}

/** Text of a file; the error is one line with the path and the reason. */
export async function readTextFile(path: string, what: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const reasons: Record<string, string> = {
      ENOENT: "it does not exist",
      EISDIR: "it is a directory, not a file",
      EACCES: "it may not be read (permission denied)",
    };
    const reason = (code && reasons[code]) || errorText(error);
    throw new AgentCompassError("file.unreadable", `${what} ${path} cannot be read: ${reason}`, { cause: error });
  }
}
