#!/usr/bin/env node
import { existsSync } from "node:fs";

const main = new URL("../dist/main.js", import.meta.url);

if (existsSync(main)) {
  const { runProcess } = await import(main.href);
  await runProcess(process);
} else {
  process.stderr.write("Error: agentcompass is not built yet: run `npm run build` in the project's directory\n");
  process.exitCode = 2;
}
