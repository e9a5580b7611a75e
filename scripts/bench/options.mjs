import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

const OPTIONS = {
  only: ["PARTS", "", "parts to run, separated by commas: calls, startup, memory, slow-model, writes; default all"],
  rounds: ["COUNT", "3", "repetitions; medians count"],
  tasks: ["COUNT", "1000", "tasks of the part calls"],
  "memory-tasks": ["COUNT", "10000", "tasks of the part memory; a tenth of them is its baseline"],
  "slow-tasks": ["COUNT", "100", "tasks of the part slow-model"],
  "delay-ms": ["COUNT", "2000", "what the slow model takes for an answer"],
  full: ["", false, "AgentCompass gets as many tasks in the part calls (two minutes and more), else 100"],
  "no-peers": ["", false, "measure neither AgentCompass nor Inspect AI"],
  directory: [
    "PATH",
    tmpdir(),
    "where results of the runs go, and go away again; a disk, for the sync to cost what it costs",
  ],
  out: ["FILE", join(tmpdir(), "bench.json"), "all figures as JSON"],
  check: ["", false, "exit status 1 when a limit is exceeded"],
  help: ["", false, "this list"],
};

/** Options of the command line as values; throws an error of one line. */
export function readOptions(args, partNames) {
  const options = Object.fromEntries(
    Object.entries(OPTIONS).map(([name, [, value]]) => [
      name,
      { type: typeof value === "boolean" ? "boolean" : "string", default: value },
    ]),
  );
  const { values } = parseArgs({ args, options });
  const parts = values.only === "" ? partNames : values.only.split(",").map((name) => name.trim());
  for (const name of parts)
    if (!partNames.includes(name)) throw new Error(`--only: "${name}" is no part; there are ${partNames.join(", ")}`);
  return {
    parts,
    rounds: count("rounds"),
    tasks: count("tasks"),
    memoryTasks: count("memory-tasks"),
    slowTasks: count("slow-tasks"),
    delayMs: count("delay-ms"),
    isFull: values.full,
    hasPeers: !values["no-peers"],
    directory: resolve(values.directory),
    out: resolve(values.out),
    check: values.check,
    help: values.help,
  };

  function count(name) {
    const value = Number(values[name]);
    if (Number.isSafeInteger(value) && value >= 1) return value;
    throw new Error(`--${name}: "${values[name]}" is no whole number from 1`);
  }
}

export function helpText() {
  const lines = Object.entries(OPTIONS).map(([name, [argument, value, is]]) => {
    const shown = `--${name} ${argument}`.trim().padEnd(22);
    return `  ${shown} ${is}${value ? `; default ${value}` : ""}`;
  });
  return ["npm run bench -- [options]", "", ...lines].join("\n");
}
