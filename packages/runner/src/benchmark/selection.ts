import { AgentCompassError, sha256 } from "@agentcompass/core";
import { trimBlanks } from "@agentcompass/core/result";
import { nearest } from "@agentcompass/core/spec";
import type { CommonParams } from "./params.ts";

type Sample = { readonly task_id: string };
type Selection = Pick<CommonParams, "sample_ids" | "limit" | "sample_seed">;

/**
 * The tasks that a request asks for, in the order of the data: `sample_ids` first, then `limit`, the first ones or, with
 * `sample_seed`, a sample. Throws AgentCompassError `component.invalid` for an unknown id and `benchmark.empty` when
 * nothing is left.
 */
export function selectTasks<T extends Sample>(source: string, tasks: readonly T[], selection: Selection): readonly T[] {
  if (tasks.length === 0)
    throw new AgentCompassError("benchmark.empty", `${source}: there are no tasks in it, so there is nothing to run`);
  const named = takeNamed(source, tasks, selection.sample_ids);
  const { limit, sample_seed: seed } = selection;
  if (typeof limit !== "number") {
    if (typeof seed === "number")
      throw new AgentCompassError(
        "component.invalid",
        `benchmark.sample_seed: ${seed} has no effect without benchmark.limit; give both or neither`,
      );
    return named;
  }
  return typeof seed === "number" ? takeSample(named, limit, seed) : named.slice(0, limit);
}

function takeNamed<T extends Sample>(
  source: string,
  tasks: readonly T[],
  sampleIds: Selection["sample_ids"],
): readonly T[] {
  if (sampleIds === undefined || sampleIds === null) return tasks;
  const wanted = new Set([sampleIds].flat().map((id) => trimBlanks(String(id))));
  if (wanted.size === 0)
    throw new AgentCompassError(
      "benchmark.empty",
      "benchmark.sample_ids: the list is empty; leave it out to take all tasks",
    );
  const known = tasks.map((task) => task.task_id);
  const unknown = [...wanted].filter((id) => !known.includes(id));
  if (unknown.length > 0) throw unknownIds(source, unknown, known);
  return tasks.filter((task) => wanted.has(task.task_id));
}

function unknownIds(source: string, unknown: readonly string[], known: readonly string[]): AgentCompassError {
  const named = unknown.map((id) => {
    const near = nearest(id, known);
    return near === undefined ? JSON.stringify(id) : `${JSON.stringify(id)} (did you mean ${JSON.stringify(near)}?)`;
  });
  const sample = known.slice(0, 10).join(", ") + (known.length > 10 ? `, and ${known.length - 10} more` : "");
  return new AgentCompassError(
    "component.invalid",
    `benchmark.sample_ids: not in ${source}: ${named.join(", ")}; it has ${sample}`,
    { data: { unknown } },
  );
}

/**
 * The `limit` tasks whose SHA-256 of `<seed>:<task_id>` is lowest, in the order of the data. It depends on nothing else, so that
 * anyone can repeat it, reordering the data changes nothing, and a larger limit only adds tasks.
 */
function takeSample<T extends Sample>(tasks: readonly T[], limit: number, seed: number): readonly T[] {
  const ranked = tasks.map((task) => ({ task, rank: sha256(`${seed}:${task.task_id}`) }));
  ranked.sort((left, right) => (left.rank < right.rank ? -1 : 1));
  const chosen = new Set(ranked.slice(0, limit).map((entry) => entry.task));
  return tasks.filter((task) => chosen.has(task));
}

/** Refuses a task id that a directory or a report could not carry; `where` is `file:line`. */
export function checkTaskId(where: string, id: string, seen: Map<string, string>): void {
  if (id === "" || id !== trimBlanks(id))
    throw new AgentCompassError(
      "benchmark.data_invalid",
      `${where}: id ${JSON.stringify(id)} is empty or has blanks around it`,
    );
  const earlier = seen.get(id);
  if (earlier !== undefined)
    throw new AgentCompassError(
      "benchmark.data_invalid",
      `${where}: id ${JSON.stringify(id)} was already used at ${earlier}; every task needs its own`,
    );
  seen.set(id, where);
}
