/** Evaluates `starter` with its own solutions and prints the score: `npx tsx examples/evaluate.ts`. */
import { runEvaluation } from "@agentcompass/sdk";

const { summary } = await runEvaluation({ benchmark: "starter", harness: "oracle", model: "none", taskConcurrency: 4 });
const { metrics } = summary as { metrics: Readonly<Record<string, number | null>> };
for (const [series, value] of Object.entries(metrics)) process.stdout.write(`${series}: ${value}\n`);
