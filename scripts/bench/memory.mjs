/** Part `memory`: peak memory of runs of different sizes, and the time to open and summarize the largest. */
import { join } from "node:path";
import { peaks } from "./calls.mjs";
import { COMMAND, environment, runOurs } from "./command.mjs";
import { measure } from "./measured-process.mjs";
import { row } from "./row.mjs";
import { inTurn } from "./statistics.mjs";
import { withStub } from "./stub.mjs";

const CONCURRENCY = 32;
const LIMIT_MEBIBYTES = 250;
const LIMIT_SUMMARY_SECONDS = 5;

export async function benchMemory({ directory, memoryTasks, rounds, say }) {
  return withStub(0, async (stub) => {
    const [few, many] = [await run(Math.max(1, memoryTasks / 10)), await run(memoryTasks)];
    const summaries = await inTurn(rounds, { summary: () => summarize(many.runDirectory, directory) });
    const seconds = summaries.summary.map(({ wallSeconds }) => wallSeconds);
    return [...peakRows(few, many, memoryTasks), ...summaryRows(seconds, summaries.summary, memoryTasks)];

    async function run(count) {
      const resultsDir = join(directory, `memory-${count}`);
      const ended = await runOurs({ directory, resultsDir, count: Math.round(count), concurrency: CONCURRENCY, stub });
      say(`memory: ${count} tasks in ${ended.wallSeconds.toFixed(1)} s`);
      return ended;
    }
  });
}

function peakRows(few, many, tasks) {
  const [fewPeaks, manyPeaks] = [peaks([few]), peaks([many])];
  const isKnown = fewPeaks.length > 0 && manyPeaks.length > 0;
  return [
    row({
      id: "memory.peak",
      title: `peak memory of ${tasks} tasks`,
      unit: "MiB",
      samples: manyPeaks,
      ...(isKnown && {
        baseline: { name: "a tenth of the tasks", samples: fewPeaks },
        ratios: [manyPeaks[0] / fewPeaks[0]],
      }),
      limit: { value: LIMIT_MEBIBYTES },
    }),
    row({ id: "memory.wall", title: `${tasks} one-call tasks`, unit: "s", samples: [many.wallSeconds] }),
  ];
}

function summaryRows(seconds, runs, tasks) {
  return [
    row({
      id: "memory.summary",
      title: `open and summarize that run again`,
      unit: "s",
      samples: seconds,
      limit: { value: LIMIT_SUMMARY_SECONDS },
    }),
    row({ id: "memory.summary-peak", title: `peak memory of that, ${tasks} tasks`, unit: "MiB", samples: peaks(runs) }),
  ];
}

async function summarize(runDirectory, directory) {
  const args = ["summary", runDirectory, "--dry-run"];
  const ended = await measure(COMMAND, args, { cwd: directory, env: environment(directory) });
  if (!ended.stdout.includes("1.0000"))
    throw new Error(`agentcompass summary told no score: ${ended.stdout.slice(0, 300)}`);
  return ended;
}
