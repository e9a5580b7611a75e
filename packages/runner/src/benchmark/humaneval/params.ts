import { z } from "zod";
import { COMMON_PARAMS } from "../params.ts";

export const HumanEvalParams = z.strictObject({
  python: z
    .string()
    .trim()
    .min(1, "must be a name or a path")
    .default("python3")
    .describe("Python that runs the candidates, 3.8 or later: a name on the environment's PATH, or an absolute path."),
  timeout_seconds: z
    .int()
    .min(1)
    .max(3600)
    .default(10)
    .describe(
      "Seconds of processor time that one candidate may use, so that a busy machine changes no score. On the clock it may take three times as long, and 5 s to start.",
    ),
  memory_mb: z
    .int()
    .min(64)
    .max(1_048_576)
    .default(1024)
    .describe("Address space in MiB that one candidate may use; not enforced on macOS."),
  ...COMMON_PARAMS,
});
export type HumanEvalParams = z.output<typeof HumanEvalParams>;
