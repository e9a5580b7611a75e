/** Part `startup`: how long a user waits for the help and for a run of one task. */
import { join } from "node:path";
import { COMMAND, environment, peerCommand, peerEnvironment, runOurs, runPeer } from "./command.mjs";
import { measure } from "./measured-process.mjs";
import { row } from "./row.mjs";
import { inTurn, ratios } from "./statistics.mjs";
import { withStub } from "./stub.mjs";

/** Short measurements vary more, so there are more of them. */
const REPEATED = 3;

export async function benchStartup({ directory, rounds, peer }) {
  return withStub(0, async (stub) => {
    const one = (name) => ({ directory, resultsDir: join(directory, name), count: 1, concurrency: 1, stub });
    const results = await inTurn(rounds * REPEATED, {
      node: () => measure(process.execPath, ["-e", "0"]),
      help: () => measure(COMMAND, ["--help"], { cwd: directory, env: environment(directory) }),
      run: (round) => runOurs(one(`startup-${round}`)),
    });
    const peers = peer
      ? await inTurn(rounds, {
          help: () => measure(...peerCommand(peer, ["--help"]), { cwd: directory, env: peerEnvironment(directory) }),
          run: (round) => runPeer({ peer, ...one(`startup-peer-${round}`) }),
        })
      : undefined;
    const node = walls(results.node);
    const toRow = (id, title, value) =>
      row({
        id: `startup.${id}`,
        title,
        unit: "s",
        samples: walls(results[id]),
        baseline: { name: "node alone", samples: node },
        ratios: ratios(walls(results[id]), node),
        limit: { value },
        ...(peers && { peers: [{ name: peer.name, samples: walls(peers[id]) }] }),
      });
    const cpu = row({
      id: "startup.cpu",
      title: "CPU of that run",
      unit: "s",
      samples: cpus(results.run),
      ...(peers && { peers: [{ name: peer.name, samples: cpus(peers.run) }] }),
    });
    return [toRow("help", "agentcompass --help", 0.2), toRow("run", "a run of one task", 0.5), cpu];
  });
}

function walls(runs) {
  return runs.map(({ wallSeconds }) => wallSeconds);
}

function cpus(runs) {
  return runs.map(({ cpuSeconds }) => cpuSeconds).filter((seconds) => seconds !== null);
}
