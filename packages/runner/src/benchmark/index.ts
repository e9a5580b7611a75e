export { createGsm8kBenchmark } from "./gsm8k.ts";
export { GSM8K_TEST, type PublishedFile } from "./gsm8k-source.ts";
export { createHarborBenchmark, type HarborOptions, harbor } from "./harbor/index.ts";
export { jsonl } from "./jsonl.ts";
export { COMMON_PARAMS, type CommonParams, parseParams } from "./params.ts";
export { pythonJson } from "./python-json.ts";
export { selectTasks } from "./selection.ts";
export { createStarterBenchmark, starterFolder } from "./starter.ts";
export { answerText, CORRECT, prepareText } from "./text-task.ts";
