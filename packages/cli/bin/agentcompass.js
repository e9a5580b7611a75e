#!/usr/bin/env node
// CommonJS, for Node has used its threads already once a module of the other kind is loaded, and then their number is fixed.
const { existsSync } = require("node:fs");
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");
const { setFlagsFromString } = require("node:v8");

// By itself the heap grows to four times what lives in it before it is cleared; twice costs no measurable time.
setFlagsFromString("--heap-growing-percent=100");

void start(join(__dirname, "..", "dist", "main.js"));

async function start(main) {
  if (!existsSync(main)) {
    process.stderr.write("Error: agentcompass is not built yet: run `npm run build` in the project's directory\n");
    process.exitCode = 2;
    return;
  }
  const { runProcess } = await withThreads(() => import(pathToFileURL(main).href));
  await runProcess(process);
}

/**
 * A thread that waits for the disk is lost to others, and tasks of one wave end together: four, as Node has by itself, let
 * them wait in line. Programs that are started later do not inherit the number.
 */
async function withThreads(load) {
  const name = "UV_THREADPOOL_SIZE";
  if (process.env[name] !== undefined) return load();
  process.env[name] = "32";
  try {
    return await load();
  } finally {
    delete process.env[name];
  }
}
