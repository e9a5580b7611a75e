/** Part `slow-model`: whether tasks keep every place filled while the model takes its time. */
import { join } from "node:path";
import { runOurs, runPeer } from "./command.mjs";
import { row } from "./row.mjs";
import { inTurn, ratios } from "./statistics.mjs";
import { expectRequests, withStub } from "./stub.mjs";

const CONCURRENCY = 32;
const LIMIT_RATIO = 1.15;

export async function benchSlowModel({ directory, slowTasks, delayMs, rounds, peer }) {
  const ideal = (Math.ceil(slowTasks / CONCURRENCY) * delayMs) / 1000;
  return withStub(delayMs, async (stub) => {
    const ask = (name) => ({
      directory,
      resultsDir: join(directory, name),
      count: slowTasks,
      concurrency: CONCURRENCY,
      stub,
    });
    const results = await inTurn(Math.min(rounds, 2), {
      ours: async (round) => {
        const ended = await runOurs(ask(`slow-${round}`));
        return { ...ended, inFlight: await expectRequests(stub, slowTasks, "agentcompass") };
      },
    });
    const theirs = peer ? [await runPeer({ peer, ...ask("slow-peer") })] : undefined;
    const samples = results.ours.map(({ wallSeconds }) => wallSeconds);
    const ideals = samples.map(() => ideal);
    return [
      row({
        id: "slow-model.wall",
        title: `${slowTasks} tasks of a ${delayMs / 1000} s model at concurrency ${CONCURRENCY}`,
        unit: "s",
        samples,
        baseline: { name: "ideal", samples: ideals },
        ratios: ratios(samples, ideals),
        limit: { ratio: LIMIT_RATIO },
        note: `at most ${Math.max(...results.ours.map(({ inFlight }) => inFlight))} calls at once`,
        ...(theirs && { peers: [{ name: peer.name, samples: theirs.map(({ wallSeconds }) => wallSeconds) }] }),
      }),
    ];
  });
}
