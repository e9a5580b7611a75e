import { categoryName } from "./category.ts";
import { compareCodePoints } from "./code-point-order.ts";
import { addCounts, type Category } from "./combination.ts";
import { exactMean } from "./exact-sum.ts";
import type { AttemptPlan } from "./metric-contract.ts";
import type { Counts } from "./report.ts";
import type { SeriesPlan } from "./series-plan.ts";
import { type ReportTask, reduceTask, type TaskState } from "./task-reduction.ts";

type ReducedTask = { readonly value: number | null; readonly counts: Counts };

/** The tasks of a series by category, in code-point order of their names. */
export function tasksByCategory(
  tasks: readonly { readonly task: ReportTask; readonly state: TaskState }[],
  series: SeriesPlan,
  plan: AttemptPlan,
): Map<string, Category> {
  const byName = new Map<string, ReducedTask[]>();
  for (const { task, state } of tasks) {
    const name = categoryName(task.category);
    const value = state.invalidated ? null : reduceTask(task, series, plan.k);
    const reduced = { value, counts: countsOf(value, state) };
    const others = byName.get(name);
    if (others) others.push(reduced);
    else byName.set(name, [reduced]);
  }
  const names = [...byName.keys()].sort(compareCodePoints);
  return new Map(names.map((name) => [name, categoryOf(byName.get(name) ?? [])]));
}

function categoryOf(tasks: readonly ReducedTask[]): Category {
  const values = tasks.flatMap(({ value }) => (value === null ? [] : [value]));
  const counts = addCounts(tasks.map((task) => task.counts));
  return { values, group: { value: exactMean(values), counts, parts: [] } };
}

function countsOf(value: number | null, state: TaskState): Counts {
  return {
    total: 1,
    evaluated: value === null ? 0 : 1,
    error: state.error ? 1 : 0,
    unavailable: value === null && !state.invalidated ? 1 : 0,
    invalidated: state.invalidated ? 1 : 0,
  };
}
