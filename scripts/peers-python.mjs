import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

/** In this order: what the peers' own figures were taken with comes first. */
const NAMES = ["python3.12", "python3.13", "python3", "python"];
const LEAST = [3, 12];
/** A shim of a version manager may be there and fail; a system's Python may lack what makes environments. */
const PROBE = "import ensurepip, sys, venv; print(*sys.version_info[:2])";

/** Path or name of a Python of at least 3.12 that can make virtual environments; throws an error of one line when there is none. */
export async function findPython() {
  const folders = await installedByPyenv();
  const candidates = [...NAMES, ...folders.flatMap((folder) => NAMES.map((name) => join(folder, "bin", name)))];
  for (const candidate of candidates) if (await isRecentEnough(candidate)) return candidate;
  throw new Error(
    `Python ${LEAST.join(".")} or newer with venv is needed and was not found: ` +
      `looked for ${NAMES.join(", ")} on PATH and in ${pyenvRoot()}; install one and start again`,
  );
}

function pyenvRoot() {
  return join(process.env.PYENV_ROOT || join(homedir(), ".pyenv"), "versions");
}

async function installedByPyenv() {
  const names = await readdir(pyenvRoot()).catch(() => []);
  return names.map((name) => join(pyenvRoot(), name));
}

function isRecentEnough(python) {
  return new Promise((resolve) => {
    execFile(python, ["-c", PROBE], { timeout: 20_000 }, (error, stdout) => {
      if (error) return resolve(false);
      const [major, minor] = stdout.trim().split(" ").map(Number);
      resolve(major > LEAST[0] || (major === LEAST[0] && minor >= LEAST[1]));
    });
  });
}
