import { answerText, textTask } from "@agentcompass/core/plugin";
import type { MetricContract } from "@agentcompass/core/result";

/** The one metric of benchmarks whose tasks are right or wrong. */
export const CORRECT: MetricContract = [{ id: "correct", kind: "binary_success", primary: true }];

export { answerText, textTask as prepareText };
