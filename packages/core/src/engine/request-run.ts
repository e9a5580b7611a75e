import type { ExecutionOutcome, ModelContact } from "../attempt/index.ts";
import type { LoadedTasks, Model, TaskSpec } from "../plugin/index.ts";
import type { BlobStore } from "../port/index.ts";
import type { TaskResult } from "../result/attempt-result.ts";
import type { Measurement } from "../result/index.ts";
import type { EarlyEnd } from "./breaker.ts";
import type { IssueLog } from "./issue-log.ts";
import type { Checked } from "./preflight.ts";
import type { Recorder } from "./recorder.ts";
import type { RunInfo } from "./run-info.ts";
import type { Writer } from "./writer.ts";

/** A task that is still to be done, with what an earlier run left of it. */
export type PendingTask = { readonly task: TaskSpec; readonly index: number; readonly kept: KeptTask | undefined };

/** Attempts of an earlier run that were already copied into this one, or that a retry starts from. */
export type KeptTask = {
  readonly attempts: ReadonlySet<number>;
  readonly result: TaskResult;
  /** What the agent left of attempts that an earlier run did not come to evaluate. */
  readonly unevaluated: ReadonlyMap<number, ExecutionOutcome>;
};

/** One prepared request while its tasks run. */
export type RequestRun = {
  readonly checked: Checked;
  readonly runId: string;
  /** Key of the run below the results directory. */
  readonly prefix: string;
  readonly store: BlobStore;
  readonly recorder: Recorder;
  readonly issueLog: IssueLog;
  readonly info: RunInfo;
  readonly infoWriter: Writer;
  readonly loaded: LoadedTasks;
  readonly model: Model | undefined;
  readonly contact: ModelContact;
  readonly redact: (text: string) => string;
  readonly pending: PendingTask[];
  /** Finished tasks without their trajectories: what the report needs. */
  readonly results: TaskResult[];
  readonly measurements: Measurement[];
  /** Tasks that were given up before they ended. */
  dropped: number;
  /** Why the rest of its tasks were given up. */
  earlyEnd?: EarlyEnd;
  /** What escaped a task: the request fails with it once its active tasks have stopped. */
  failure?: unknown;
};
