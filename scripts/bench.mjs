/**
 * Measures the built command against what it could be at best, and against AgentCompass where that is installed, all in
 * one run on one machine. Prints one table and writes a JSON file. `npm run bench -- --help` lists the options.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { benchCalls } from "./bench/calls.mjs";
import { machine, packageVersion } from "./bench/machine.mjs";
import { table } from "./bench/table.mjs";

const PARTS = { calls: benchCalls };

const OPTIONS = {
  only: { type: "string", default: Object.keys(PARTS).join(","), is: "parts to run, separated by commas" },
  tasks: { type: "string", default: "1000", is: "tasks of the part `calls`" },
  rounds: { type: "string", default: "3", is: "repetitions; the median counts" },
  full: { type: "boolean", default: false, is: "AgentCompass gets as many tasks too (minutes), else 100" },
  "no-peers": { type: "boolean", default: false, is: "do not measure AgentCompass" },
  directory: { type: "string", default: tmpdir(), is: "where results of the runs go, and go away again" },
  out: {
    type: "string",
    default: "",
    is: "file for all figures as JSON; default bench.json in the system's temporary folder",
  },
  check: { type: "boolean", default: false, is: "exit status 1 when a limit is exceeded" },
  help: { type: "boolean", default: false, is: "this list" },
};

try {
  process.exitCode = await main();
} catch (error) {
  console.error(`bench: ${error.message}`);
  process.exitCode = 2;
}

async function main() {
  const { values } = parseArgs({ options: OPTIONS });
  if (values.help) return help();
  const parts = values.only.split(",").map((name) => name.trim());
  for (const name of parts)
    if (!PARTS[name]) throw new Error(`--only: "${name}" is no part; there are ${Object.keys(PARTS).join(", ")}`);
  const directory = await mkdtemp(join(resolve(values.directory), "agentcompass-bench-"));
  try {
    const report = await measureAll(parts, values, directory);
    const out = resolve(values.out || join(tmpdir(), "bench.json"));
    await writeFile(out, `${JSON.stringify(report, null, 2)}\n`);
    print(report, out);
    return values.check && report.rows.some(({ isWithinLimit }) => isWithinLimit === false) ? 1 : 0;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function measureAll(parts, values, directory) {
  const tasks = count("tasks", values.tasks);
  const context = {
    directory,
    tasks,
    rounds: count("rounds", values.rounds),
    peer: undefined,
    peerTasks: values.full ? tasks : Math.min(100, tasks),
    say: (line) => console.error(line),
  };
  const before = await machine(directory);
  const rows = [];
  for (const name of parts) rows.push(...(await PARTS[name](context)));
  const after = await machine(directory);
  return {
    format: 1,
    at: new Date().toISOString(),
    machine: { ...before, loadAverageAfter: after.loadAverage },
    versions: {
      agentcompass: packageVersion(new URL("../packages/cli/package.json", import.meta.url)),
      openai: packageVersion(new URL("../node_modules/openai/package.json", import.meta.url)),
    },
    peer: context.peer ? { name: context.peer.name } : null,
    rows,
  };
}

function print({ machine: facts, peer, rows }, out) {
  console.log(
    `${facts.cpus} CPUs (${facts.cpu}), ${facts.memoryGibibytes} GiB, ${facts.platform}, Node ${facts.node}, ` +
      `results on ${facts.fileSystem}, load ${facts.loadAverage.toFixed(2)} before and ${facts.loadAverageAfter.toFixed(2)} after\n`,
  );
  console.log(table(rows, peer?.name));
  console.log(`\nAll figures: ${out}`);
}

function count(name, text) {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`--${name}: "${text}" is no whole number from 1`);
  return value;
}

function help() {
  console.log("npm run bench -- [options]\n");
  for (const [name, { default: value, is }] of Object.entries(OPTIONS))
    console.log(`  --${name.padEnd(14)} ${is}${value ? ` [${value}]` : ""}`);
  return 0;
}
