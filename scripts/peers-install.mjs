import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { access, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findPython } from "./peers-python.mjs";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

/**
 * What is compared with, one environment each: the pinned peers, the version of every distribution beside them, so that they stay what
 * they were when the tests were written, and the modules whose first import compiles nearly all. AgentCompass and mini-swe-agent agree
 * on their dependencies; Inspect AI takes part in the bench alone.
 */
const SETS = {
  reference: {
    pins: ["agentcompass==1.0.1", "mini-swe-agent==2.4.5"],
    constraints: here("peers-constraints.txt"),
    modules: "agentcompass.launcher, minisweagent.agents.default",
  },
  inspect: {
    pins: ["inspect-ai==0.3.285", "openai==3.57.0"],
    constraints: here("peers-inspect-constraints.txt"),
    modules: "inspect_ai, openai",
  },
};
/** Installs the 180 distributions in seconds where pip takes minutes; pip does it where this cannot. */
const FAST_INSTALLER = "uv==0.13.9";
const UNFINISHED = "installing-";
const ABANDONED_AFTER_SECONDS = 7200;
const SECONDS = 1000;

/**
 * The environment of the set `reference` or `inspect`, `{ python, names }`, or undefined when it is not installed. It lies in the
 * user's cache folder under a name made of the pinned versions.
 */
export async function installedPeers(set = "reference") {
  const python = pythonIn(await environmentDirectory(SETS[set]));
  const names = SETS[set].pins.map((pin) => pin.replace("==", " "));
  return (await isThere(python)) ? { python, names } : undefined;
}

/**
 * Installs the peers by Python's package tools unless they are there (750 MB, 15 to 60 s; the only step that needs a
 * network). An interrupted installation leaves nothing that would be taken for a whole one. Throws an error of one line.
 */
export async function installPeers(say, set = "reference") {
  const there = await installedPeers(set);
  if (there) return there;
  const base = await findPython();
  const directory = await environmentDirectory(SETS[set]);
  await mkdir(cacheFolder(), { recursive: true });
  await removeAbandoned();
  say(`installing ${SETS[set].pins.join(" and ")} for ${base} into ${directory}`);
  // Complete or absent: the directory gets its name when everything is in it. The environment is only used through its
  // python, whose paths follow the directory; the scripts beside it keep the old name and are never called.
  const fresh = await mkdtemp(join(cacheFolder(), UNFINISHED));
  try {
    await fill(base, fresh, SETS[set]);
    // Without its python (the base was uninstalled) an old copy is of no use.
    if (!(await isThere(pythonIn(directory)))) await rm(directory, { recursive: true, force: true });
    await rename(fresh, directory).catch(async (error) => {
      // Another start was quicker; its copy is as good.
      if (!(await isThere(pythonIn(directory)))) throw error;
    });
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  return installedPeers(set);
}

/** What a killed installation left; one that still runs is younger. */
async function removeAbandoned() {
  for (const name of await readdir(cacheFolder())) {
    const path = join(cacheFolder(), name);
    if (!name.startsWith(UNFINISHED)) continue;
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (Date.now() - mtimeMs > ABANDONED_AFTER_SECONDS * SECONDS) await rm(path, { recursive: true, force: true });
  }
}

async function fill(base, directory, { pins, constraints, modules }) {
  await run(base, ["-m", "venv", directory], 120);
  const python = pythonIn(directory);
  const ask = ["--constraint", constraints, ...pins];
  const quiet = ["--quiet", "--disable-pip-version-check"];
  try {
    await run(python, ["-m", "pip", "install", ...quiet, FAST_INSTALLER], 120);
    await run(python, ["-m", "uv", "pip", "install", "--quiet", "--python", python, ...ask], 600);
  } catch {
    // It reads other settings than pip, so a mirror or a certificate that pip knows may be unknown to it.
    await run(python, ["-m", "pip", "install", ...quiet, ...ask], 1800);
  }
  // The first import compiles everything; done here, no measurement pays for it.
  await run(python, ["-c", `import ${modules}`], 300);
}

async function environmentDirectory({ pins, constraints }) {
  const identity = [...pins, await readFile(constraints, "utf8"), process.platform, process.arch].join("\n");
  return join(cacheFolder(), `peers-${createHash("sha256").update(identity).digest("hex").slice(0, 16)}`);
}

function cacheFolder() {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "agentcompass");
}

function pythonIn(directory) {
  return process.platform === "win32" ? join(directory, "Scripts", "python.exe") : join(directory, "bin", "python");
}

/** Runs a command silently; the last line that it printed goes into the error. */
function run(command, args, timeoutSeconds) {
  const options = { timeout: timeoutSeconds * SECONDS, maxBuffer: 64 * 1024 * 1024, env: environment() };
  return new Promise((resolve, reject) => {
    execFile(command, args, options, (error, stdout, stderr) => {
      if (!error) return resolve();
      const last = `${stdout}\n${stderr}`.trim().split("\n").at(-1) || error.message;
      reject(new Error(`${command} ${args.slice(0, 3).join(" ")} ended with ${error.signal ?? error.code}: ${last}`));
    });
  });
}

function environment() {
  // Settings of an environment that the caller happens to be in would put packages elsewhere.
  const { VIRTUAL_ENV: _, PYTHONPATH: __, PYTHONHOME: ___, ...rest } = process.env;
  return { ...rest, LITELLM_LOCAL_MODEL_COST_MAP: "True", MSWEA_SILENT_STARTUP: "1" };
}

function isThere(path) {
  return access(path).then(
    () => true,
    () => false,
  );
}
