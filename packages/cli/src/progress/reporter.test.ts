import type { ResolvedOrchestration } from "@agentcompass/core/spec";
import { describe, expect, it } from "vitest";
import { eventOf, fakeHost } from "../../testing/fake-host.ts";
import { startReporter } from "./reporter.ts";

function resolved(progress: string, requests = 1): ResolvedOrchestration {
  return { runtime: { progress }, requests: Array(requests).fill({}) } as unknown as ResolvedOrchestration;
}

const HIDE_CURSOR = "\u001b[?25l";
const SHOW_CURSOR = "\u001b[?25h";

const LOADED = eventOf({ event: "tasks_loaded", payload: { total_tasks: 2 } });
const FINISHED = eventOf({ event: "run_finished", status: "completed" }, 30);

describe("progress on stderr", () => {
  it("is a line at the start, one every ten seconds and one at the end, where there is no terminal", () => {
    const host = fakeHost();
    const reporter = startReporter(host);
    reporter.onResolved(resolved("auto"));
    reporter.onProgress(
      eventOf({ event: "run_started", payload: { benchmark: "b", harness: "h", model: "m", environment: "e" } }),
    );
    reporter.onProgress(LOADED);
    reporter.onProgress(eventOf({ event: "task_started", task_id: "t" }, 1));
    for (let second = 0; second < 25; second++) host.tick(1);
    reporter.onProgress(FINISHED);
    reporter.end();
    host.tick(60);
    expect(host.err().split("\n")).toEqual([
      "run: started, 2 tasks (b, h, m, e)",
      "run: 0/2  ● 1, 10 s, 1 wait for a permit",
      "run: 0/2  ● 1, 20 s, 1 wait for a permit",
      "run: completed, 0/2, 30 s",
      "",
    ]);
  });

  it.each([
    [0, "0 tasks"],
    [1, "1 task"],
    [2, "2 tasks"],
  ])("counts %i as %s", (total_tasks, text) => {
    const host = fakeHost();
    const reporter = startReporter(host);
    reporter.onResolved(resolved("plain"));
    reporter.onProgress(eventOf({ event: "tasks_loaded", payload: { total_tasks } }));
    reporter.end();
    expect(host.err()).toContain(`run: started, ${text} (`);
  });

  it("is nothing with none, while logs are still shown", () => {
    const host = fakeHost({ isTty: true });
    const reporter = startReporter(host);
    reporter.onResolved(resolved("none"));
    reporter.onProgress(LOADED);
    reporter.onLog({ level: "WARNING", source: "limit", message: "slow" });
    host.tick(1);
    expect(host.err()).toMatch(/^\d\d:\d\d:\d\d WARNING {2}limit slow\n$/);
  });

  it("is plain lines on a terminal too when asked for", () => {
    const host = fakeHost({ isTty: true });
    const reporter = startReporter(host);
    reporter.onResolved(resolved("plain"));
    reporter.onProgress(LOADED);
    expect(host.err()).toContain("run: started, 2 tasks");
    expect(host.err()).not.toContain("\u001b");
  });

  it("is a panel on a terminal that logs scroll above and that leaves the cursor visible", () => {
    const host = fakeHost({ isTty: true });
    const reporter = startReporter(host);
    reporter.onResolved(resolved("auto"));
    reporter.onProgress(LOADED);
    host.tick(1);
    reporter.onLog({ level: "INFO", source: "s", message: "hello" });
    host.tick(1);
    reporter.end();
    reporter.end();
    expect(screenOf(host.err())).toMatch(/^\d\d:\d\d:\d\d INFO {5}s hello\n$/);
    expect(host.err().lastIndexOf(SHOW_CURSOR)).toBeGreaterThan(host.err().lastIndexOf(HIDE_CURSOR));
    expect(host.err().split(SHOW_CURSOR)).toHaveLength(2);
  });
});

/** What a terminal shows after these writes; knows the sequences that the panel uses. */
function screenOf(text: string): string {
  let lines = [""];
  let row = 0;
  const newline = (): void => {
    row += 1;
    lines[row] ??= "";
  };
  for (const [index, part] of text.split("\u001b").entries()) {
    const sequence = index === 0 ? "" : (/^\[\??\d+[A-Za-z]/.exec(part)?.[0] ?? "");
    if (sequence.endsWith("A")) row -= Number.parseInt(sequence.slice(1), 10);
    if (sequence === "[0J") lines = [...lines.slice(0, row), ""];
    for (const character of part.slice(sequence.length)) {
      if (character === "\n") newline();
      else if (character !== "\r") lines[row] += character;
    }
  }
  return lines.join("\n");
}
