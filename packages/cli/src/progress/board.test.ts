import { describe, expect, it } from "vitest";
import { eventOf } from "../../testing/fake-host.ts";
import { type Board, foldBoard, remainingSeconds, requestsOf, waitingReasons } from "./board.ts";

function boardOf(events: Parameters<typeof foldBoard>[1][]): Board {
  const board: Board = new Map();
  for (const event of events) foldBoard(board, event);
  return board;
}

describe("the progress board", () => {
  it("keeps requests apart and in declaration order", () => {
    const board = boardOf([eventOf({ event: "run_started" }, 1, 1, "b"), eventOf({ event: "run_started" }, 2, 0, "a")]);
    expect(requestsOf(board).map((request) => request.name)).toEqual(["a", "b"]);
  });

  it("tells the time left from the tasks that ended here, not from those taken over", () => {
    const board = boardOf([
      eventOf({ event: "tasks_loaded", payload: { total_tasks: 10 } }),
      eventOf({ event: "reuse_loaded", payload: { reused_tasks: 4, tasks_to_run: 6 } }),
      eventOf({ event: "task_started", task_id: "t" }, 10),
    ]);
    const [request] = requestsOf(board);
    if (!request) throw new Error("no request");
    expect(remainingSeconds(request, 20)).toBeNull();
    foldBoard(board, eventOf({ event: "task_finished", task_id: "t", status: "completed" }, 20));
    expect(remainingSeconds(request, 20)).toBe(50);
    foldBoard(board, eventOf({ event: "run_finished", status: "completed" }, 21));
    expect(remainingSeconds(request, 21)).toBeNull();
  });

  it("counts why tasks wait: for a permit, for a retry, or for what the event says", () => {
    const board = boardOf([
      ...["a", "b", "c", "d"].map((task_id) => eventOf({ event: "task_started", task_id })),
      eventOf({ event: "phase_changed", task_id: "b", phase: "retry_wait" }),
      eventOf({ event: "phase_changed", task_id: "c", phase: "run_harness" }),
      eventOf({ event: "phase_changed", task_id: "d", phase: "run_harness", payload: { waiting: "docker is full" } }),
    ]);
    const [request] = requestsOf(board);
    expect(Object.fromEntries(waitingReasons(request!.view))).toEqual({
      "a permit": 1,
      "retry delay": 1,
      "docker is full": 1,
    });
  });

  it("adds up tokens and cost where events tell them, and keeps the final error", () => {
    const board = boardOf([
      eventOf({ event: "attempt_finished", payload: { tokens: 5, cost_usd: 0.5 } }),
      eventOf({ event: "attempt_finished", payload: { tokens: 7 } }),
      eventOf({ event: "run_finished", status: "failed", payload: { error: "no luck" } }),
    ]);
    expect(requestsOf(board)[0]).toMatchObject({ tokens: 12, costUsd: 0.5, ended: true, error: "no luck" });
  });
});
