import { sha256 } from "../hash.ts";

/**
 * Identity of one execution: the same for the same orchestration, request, task, attempt and generation on any
 * machine, so that what is done twice is seen to be the same.
 */
export function executionId(parts: {
  readonly orchestrationId: string;
  readonly requestIndex: number;
  readonly taskId: string;
  readonly attempt: number;
  readonly generation: number;
}): string {
  const text = JSON.stringify([
    parts.orchestrationId,
    parts.requestIndex,
    parts.taskId,
    parts.attempt,
    parts.generation,
  ]);
  return `exe_${sha256(text).slice(0, 32)}`;
}
