/** Part `calls`: many tasks of one call each, against the same calls by the openai client alone. */
import { join } from "node:path";
import { BARE_LOOP, runInspect, runOurs, runPeer } from "./command.mjs";
import { measure } from "./measured-process.mjs";
import { row } from "./row.mjs";
import { inTurn, ratios } from "./statistics.mjs";
import { expectRequests, withStub } from "./stub.mjs";

const CONCURRENCY = 32;

export async function benchCalls({ directory, tasks, rounds, peer, inspect, peerTasks, say }) {
  return withStub(0, async (stub) => {
    const results = await inTurn(rounds, {
      bare: async () => {
        const ended = await measure(process.execPath, [BARE_LOOP, stub.url, String(tasks), String(CONCURRENCY)]);
        await expectRequests(stub, tasks, "the bare loop");
        return { ...ended, loopSeconds: Number(ended.stdout) };
      },
      ours: async (round) => {
        const resultsDir = join(directory, `calls-${round}`);
        const ended = await runOurs({ directory, resultsDir, count: tasks, concurrency: CONCURRENCY, stub });
        await expectRequests(stub, tasks, "agentcompass");
        say(`calls: ${tasks} tasks in ${ended.wallSeconds.toFixed(2)} s`);
        return ended;
      },
    });
    const measured = [
      ...(peer ? [await peerFigures({ peer, tasks: peerTasks, stub, run: runPeer, directory })] : []),
      ...(inspect ? [await peerFigures({ peer: inspect, tasks, stub, run: runInspect, directory })] : []),
    ];
    return rows({ tasks, ...results, measured });
  });
}

function rows({ tasks, bare, ours, measured }) {
  const wall = ours.map(({ wallSeconds }) => wallSeconds);
  const process = bare.map(({ wallSeconds }) => wallSeconds);
  const loop = bare.map(({ loopSeconds }) => loopSeconds);
  return [
    row({
      id: "calls.wall",
      title: `${tasks} one-call tasks at concurrency ${CONCURRENCY}, whole command`,
      unit: "s",
      samples: wall,
      baseline: { name: "openai client alone, whole process", samples: process },
      ratios: ratios(wall, process),
      limit: { ratio: 3 },
      peers: measured.map((peer) => peer.wall),
    }),
    row({
      id: "calls.loop",
      title: "the same, against the loop without the start of its process",
      unit: "s",
      samples: wall,
      baseline: { name: "openai client alone, its loop", samples: loop },
      ratios: ratios(wall, loop),
    }),
    row({
      id: "calls.overhead",
      title: "added to each task",
      unit: "ms",
      samples: wall.map((seconds, index) => ((seconds - process[index]) / tasks) * 1000),
      peers: measured.map((peer) => peer.overhead),
    }),
    row({
      id: "calls.cpu",
      title: "CPU of each task",
      unit: "ms",
      samples: perTask(ours, tasks),
      peers: measured.map((peer) => peer.cpu),
    }),
    row({
      id: "calls.memory",
      title: "peak memory of that run",
      unit: "MiB",
      samples: peaks(ours),
      peers: measured.map((peer) => peer.memory),
    }),
  ];
}

/** One whole run of a peer, with the same calls by the openai client alone beside it. */
async function peerFigures({ peer, tasks, stub, run, directory }) {
  const bare = await measure(process.execPath, [BARE_LOOP, stub.url, String(tasks), String(CONCURRENCY)]);
  await stub.takeCount();
  const resultsDir = join(directory, `calls-${peer.name.replaceAll(" ", "-")}`);
  const ended = await run({ peer, directory, resultsDir, count: tasks, concurrency: CONCURRENCY, stub });
  await expectRequests(stub, tasks, peer.name);
  const figure = (samples) => ({ name: peer.name, samples, note: `${tasks} tasks` });
  return {
    wall: figure([ended.wallSeconds]),
    overhead: figure([((ended.wallSeconds - bare.wallSeconds) / tasks) * 1000]),
    cpu: figure(perTask([ended], tasks)),
    memory: figure(peaks([ended])),
  };
}

function perTask(runs, tasks) {
  const known = runs.filter(({ cpuSeconds }) => cpuSeconds !== null);
  return known.map(({ cpuSeconds }) => (cpuSeconds / tasks) * 1000);
}

/** Peak memory of the runs, in MiB, where the machine tells it. */
export function peaks(runs) {
  return runs.map(({ peakMebibytes }) => peakMebibytes).filter((peak) => peak !== null);
}
