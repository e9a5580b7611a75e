/**
 * Measures the built command against what it could be at best, and against AgentCompass and Inspect AI where they are installed, all in
 * one run on one machine. Prints one table and writes a JSON file. `npm run bench -- --help` lists the options.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { benchCalls } from "./bench/calls.mjs";
import { machine, packageVersion } from "./bench/machine.mjs";
import { benchMemory } from "./bench/memory.mjs";
import { helpText, readOptions } from "./bench/options.mjs";
import { benchSlowModel } from "./bench/slow-model.mjs";
import { benchStartup } from "./bench/startup.mjs";
import { table } from "./bench/table.mjs";
import { benchWrites } from "./bench/writes.mjs";
import { installedPeers } from "./peers-install.mjs";

const PARTS = {
  calls: benchCalls,
  startup: benchStartup,
  memory: benchMemory,
  "slow-model": benchSlowModel,
  writes: benchWrites,
};
const PEER_TASKS = 100;

try {
  process.exitCode = await main();
} catch (error) {
  console.error(`bench: ${error.message}`);
  process.exitCode = 2;
}

async function main() {
  const options = readOptions(process.argv.slice(2), Object.keys(PARTS));
  if (options.help) {
    console.log(helpText());
    return 0;
  }
  const directory = await mkdtemp(join(options.directory, "agentcompass-bench-"));
  try {
    const report = await measureAll(options, directory);
    await writeFile(options.out, `${JSON.stringify(report, null, 2)}\n`);
    print(report, options.out);
    return options.check && report.rows.some(({ isWithinLimit }) => isWithinLimit === false) ? 1 : 0;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function measureAll(options, directory) {
  const [peer, inspect] = options.hasPeers ? [await installed("reference"), await installed("inspect")] : [];
  const peerTasks = options.isFull ? options.tasks : Math.min(PEER_TASKS, options.tasks);
  const context = { ...options, directory, peer, inspect, peerTasks, say: (line) => console.error(line) };
  const before = await machine(directory);
  const rows = [];
  for (const name of options.parts) rows.push(...(await PARTS[name](context)));
  const { loadAverage } = await machine(directory);
  return {
    format: 1,
    at: new Date().toISOString(),
    machine: { ...before, loadAverageAfter: loadAverage },
    versions: {
      agentcompass: packageVersion(new URL("../packages/cli/package.json", import.meta.url)),
      openai: packageVersion(new URL("../node_modules/openai/package.json", import.meta.url)),
    },
    peers: { agentcompass: stateOf(peer, options), "inspect-ai": stateOf(inspect, options) },
    rows,
  };
}

async function installed(set) {
  const peers = await installedPeers(set);
  return peers && { name: `Python ${peers.names[0]}`, python: peers.python };
}

function stateOf(peer, { hasPeers }) {
  return peer ? { name: peer.name, state: "measured" } : { state: hasPeers ? "absent" : "left out" };
}

function print({ machine: facts, peers, rows }, out) {
  console.log(
    `${facts.cpus} CPUs (${facts.cpu}), ${facts.memoryGibibytes} GiB, ${facts.platform}, Node ${facts.node}, ` +
      `results on ${facts.fileSystem}, load ${facts.loadAverage.toFixed(2)} before and ${facts.loadAverageAfter.toFixed(2)} after\n`,
  );
  console.log(table(rows));
  if (peers.agentcompass.state === "absent")
    console.log("\nPython AgentCompass is absent; node scripts/peers.mjs installs it.");
  if (peers["inspect-ai"].state === "absent")
    console.log("\nInspect AI is absent; node scripts/peers.mjs --inspect installs it.");
  console.log(`\nAll figures: ${out}`);
}
