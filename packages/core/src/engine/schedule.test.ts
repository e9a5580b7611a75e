import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isFinished, nextAction, type RequestProgress } from "./schedule.ts";

const at = (state: RequestProgress["state"], pending = 0, active = 0, writing = 0): RequestProgress => ({
  state,
  pending,
  active,
  writing,
});

describe("nextAction", () => {
  it("prepares requests in order, one at a time", () => {
    expect(nextAction([at("waiting"), at("waiting")], 4)).toEqual({ kind: "prepare", index: 0 });
    expect(nextAction([at("preparing"), at("waiting")], 4)).toBeUndefined();
  });

  it("prepares the next only while fewer tasks wait than may run at once", () => {
    expect(nextAction([at("prepared", 4, 4), at("waiting")], 4)).toBeUndefined();
    expect(nextAction([at("prepared", 3, 4), at("waiting")], 4)).toEqual({ kind: "prepare", index: 1 });
  });

  it("starts tasks of the first request that has any, up to the concurrency", () => {
    expect(nextAction([at("prepared", 0, 1), at("prepared", 5, 0)], 2)).toEqual({ kind: "start", index: 1 });
    expect(nextAction([at("prepared", 1, 2)], 2)).toBeUndefined();
  });

  it("finishes a request while a later one runs", () => {
    expect(nextAction([at("prepared", 0, 0), at("prepared", 5, 2)], 2)).toEqual({ kind: "finalize", index: 0 });
  });

  it("starts a task while others are written, and no more once a whole turn of them is", () => {
    expect(nextAction([at("prepared", 5, 0, 1)], 2)).toEqual({ kind: "start", index: 0 });
    expect(nextAction([at("prepared", 5, 0, 2)], 2)).toBeUndefined();
  });

  it("finishes no request of which a task is still written", () => {
    expect(nextAction([at("prepared", 0, 0, 1)], 2)).toBeUndefined();
  });

  it("carries any set of requests to their end without exceeding the concurrency", () => {
    const sizes = fc.array(fc.nat(7), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 5 }), fc.nat(), (counts, concurrency, salt) => {
        const requests = counts.map(() => ({
          state: "waiting" as RequestProgress["state"],
          pending: 0,
          active: 0,
          writing: 0,
        }));
        let turn = salt;
        for (let step = 0; step < 1000 && !isFinished(requests); step += 1) {
          const action = nextAction(requests, concurrency);
          const request = action && requests[action.index];
          if (action?.kind === "prepare" && request) Object.assign(request, at("prepared", counts[action.index]));
          else if (action?.kind === "start" && request)
            Object.assign(request, at("prepared", request.pending - 1, request.active + 1, request.writing));
          else if (action?.kind === "finalize" && request) request.state = "terminal";
          else {
            const busy = requests.filter((one) => one.active + one.writing > 0);
            const going = busy[turn++ % Math.max(busy.length, 1)];
            if (!going) return false;
            const executed = going.active > 0 && (turn % 2 === 0 || going.writing === 0);
            if (executed) Object.assign(going, { active: going.active - 1, writing: going.writing + 1 });
            else going.writing -= 1;
          }
          if (requests.reduce((sum, one) => sum + one.active, 0) > concurrency) return false;
        }
        return isFinished(requests);
      }),
    );
  });
});
