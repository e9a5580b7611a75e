import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eventOf } from "../../testing/fake-host.ts";
import { displayWidth } from "../output/width.ts";
import { type Board, foldBoard } from "./board.ts";
import { renderPanel } from "./panel.ts";

function runningBoard(tasks: number, requests = 1): Board {
  const board: Board = new Map();
  for (let index = 0; index < requests; index++) {
    const name = requests === 1 ? "run" : `request-${index}`;
    foldBoard(board, eventOf({ event: "run_started" }, 0, index, name));
    foldBoard(board, eventOf({ event: "tasks_loaded", payload: { total_tasks: tasks } }, 0, index, name));
    for (let task = 0; task < tasks; task++) {
      const task_id = `task-${task}`;
      foldBoard(board, eventOf({ event: "task_started", task_id }, 1, index, name));
      foldBoard(board, eventOf({ event: "phase_changed", task_id, phase: "run_harness" }, 2, index, name));
    }
  }
  return board;
}

describe("the live panel", () => {
  it("shows a bar, counts, times, running tasks with their phase and what waits", () => {
    const board = runningBoard(6);
    foldBoard(board, eventOf({ event: "task_finished", task_id: "task-0", status: "completed" }, 5));
    foldBoard(board, eventOf({ event: "phase_changed", task_id: "task-1", phase: "retry_wait", attempt: 2 }, 5));
    expect(renderPanel(board, 11, { columns: 100, rows: 24 })).toEqual([
      `● run  ${"█".repeat(5)}${"░".repeat(25)}  1/6  ● 5  11 s, about 50 s left`,
      "    waiting: 1 for retry delay",
      "    task-1 attempt 2: retry_wait 6.0 s",
      "    task-2: run_harness 9.0 s",
      "    task-3: run_harness 9.0 s",
      "    task-4: run_harness 9.0 s",
      "    … and 1 more running",
    ]);
  });

  it("keeps an ended request on one line", () => {
    const board = runningBoard(1);
    foldBoard(board, eventOf({ event: "task_finished", task_id: "task-0", status: "failed" }, 5));
    foldBoard(board, eventOf({ event: "run_finished", status: "failed" }, 6));
    const lines = renderPanel(board, 99, { columns: 60, rows: 24 });
    expect(lines).toEqual([`✗ run  ${"█".repeat(10)}  1/1  ✗ 1  6.0 s`]);
  });

  it("shows eight requests at most, the live ones first", () => {
    const board = runningBoard(1, 10);
    foldBoard(board, eventOf({ event: "run_finished", status: "completed" }, 9, 0, "request-0"));
    const lines = renderPanel(board, 9, { columns: 100, rows: 50 });
    expect(lines.join("\n")).not.toContain("request-0");
    expect(lines.at(-1)).toBe("… and 2 more requests");
  });

  it("fits a terminal of any size, so that redrawing cannot break", () => {
    const size = fc.record({ columns: fc.integer({ min: 1, max: 200 }), rows: fc.integer({ min: 1, max: 60 }) });
    const shape = fc.record({ tasks: fc.integer({ min: 0, max: 12 }), requests: fc.integer({ min: 1, max: 12 }) });
    fc.assert(
      fc.property(size, shape, (terminal, { tasks, requests }) => {
        const lines = renderPanel(runningBoard(tasks, requests), 20, terminal);
        expect(lines.length).toBeLessThanOrEqual(Math.max(1, terminal.rows - 1));
        for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(Math.max(1, terminal.columns - 1));
      }),
    );
  });
});
