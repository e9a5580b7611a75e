import type * as sdk from "@agentcompass/sdk";

export type {
  Check,
  LaunchOptions,
  OrchestrationResult,
  RequestOutcome,
  RunEvaluationOptions,
  SummaryReport,
} from "@agentcompass/sdk";

/** The part of the SDK that the commands call; tests hand in a fake. */
export type Sdk = Pick<
  typeof sdk,
  "runOutcome" | "launch" | "dryRun" | "summary" | "configShow" | "components" | "doctor"
>;

/** The callbacks and the signals that the CLI hands to every run. */
export type RunCallbacks = Required<
  Pick<sdk.LaunchOptions, "onResolved" | "onProgress" | "onLog" | "signal" | "endNow">
>;
