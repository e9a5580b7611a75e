import { AgentCompassError } from "@agentcompass/core";
import fc from "fast-check";
import { expect, it } from "vitest";
import { checkTaskId, selectTasks } from "./selection.ts";

const tasks = (count: number) => Array.from({ length: count }, (_, index) => ({ task_id: `task-${index}` }));
const ids = (selected: readonly { task_id: string }[]) => selected.map((task) => task.task_id);

function failure(work: () => unknown): AgentCompassError {
  try {
    work();
  } catch (error) {
    if (AgentCompassError.isInstance(error)) return error;
  }
  throw new Error("expected a refusal");
}

it("takes all tasks by default", () => {
  expect(ids(selectTasks("data", tasks(3), {}))).toEqual(["task-0", "task-1", "task-2"]);
});

it.each([
  ["task-2", ["task-2"]],
  [
    ["task-2", "task-0"],
    ["task-0", "task-2"],
  ],
])("takes the named tasks %j in the order of the data", (sampleIds, expected) => {
  expect(ids(selectTasks("data", tasks(3), { sample_ids: sampleIds }))).toEqual(expected);
});

it("takes a number as an id", () => {
  expect(ids(selectTasks("data", [{ task_id: "7" }, { task_id: "8" }], { sample_ids: 7 }))).toEqual(["7"]);
});

it("names unknown ids and the nearest known ones", () => {
  const error = failure(() => selectTasks("data", tasks(12), { sample_ids: ["task-1", "tsk-3", "zzzzzzzzzzzzzz"] }));
  expect(error.code).toBe("component.invalid");
  expect(error.message).toContain('"tsk-3" (did you mean "task-3"?)');
  expect(error.message).toContain('"zzzzzzzzzzzzzz";');
  expect(error.message).toContain("and 2 more");
});

it("takes the first tasks with limit, of the named ones when there are names", () => {
  expect(ids(selectTasks("data", tasks(5), { limit: 2 }))).toEqual(["task-0", "task-1"]);
  expect(ids(selectTasks("data", tasks(5), { sample_ids: ["task-4", "task-2"], limit: 1 }))).toEqual(["task-2"]);
});

it("samples the same tasks for the same seed, in the order of the data, and others for another", () => {
  const sample = (seed: number) => ids(selectTasks("data", tasks(100), { limit: 10, sample_seed: seed }));
  expect(sample(1)).toEqual(sample(1));
  expect(sample(1)).toEqual([
    "task-0",
    "task-6",
    "task-10",
    "task-28",
    "task-34",
    "task-46",
    "task-51",
    "task-70",
    "task-75",
    "task-76",
  ]);
  expect(sample(1)).not.toEqual(sample(2));
});

it("samples without regard to the order of the data, and a larger limit only adds tasks", () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 1, max: 30 }), (seed, limit) => {
      const data = tasks(30);
      const some = ids(selectTasks("data", data, { limit, sample_seed: seed }));
      const reversed = ids(selectTasks("data", data.toReversed(), { limit, sample_seed: seed }));
      const more = ids(selectTasks("data", data, { limit: limit + 1, sample_seed: seed }));
      expect(some).toHaveLength(limit);
      expect(reversed.toReversed()).toEqual(some);
      expect(more).toEqual(expect.arrayContaining(some));
    }),
  );
});

it("refuses a seed without a limit, since it would do nothing", () => {
  expect(failure(() => selectTasks("data", tasks(3), { sample_seed: 1 })).message).toContain("benchmark.sample_seed");
});

it("refuses to run nothing", () => {
  expect(failure(() => selectTasks("data.jsonl", [], {})).code).toBe("benchmark.empty");
  expect(failure(() => selectTasks("data", tasks(1), { sample_ids: [] })).code).toBe("benchmark.empty");
});

it("refuses an id that was used before or has blanks around it, with both places", () => {
  const seen = new Map<string, string>();
  checkTaskId("data:1", "a", seen);
  expect(failure(() => checkTaskId("data:4", "a", seen)).message).toBe(
    'data:4: id "a" was already used at data:1; every task needs its own',
  );
  expect(failure(() => checkTaskId("data:5", " b", seen)).code).toBe("benchmark.data_invalid");
  expect(failure(() => checkTaskId("data:6", "", seen)).message).toContain("data:6");
});
