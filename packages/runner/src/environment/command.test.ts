import { expect, it } from "vitest";
import { runCommand } from "./command.ts";

/** A signal that never aborts and keeps this process busy from the moment in which a command's end was seen. */
function stallingSignal(milliseconds: number): AbortSignal {
  const signal = new AbortController().signal;
  signal.removeEventListener = () => {
    setImmediate(() => {
      const until = performance.now() + milliseconds;
      while (performance.now() < until);
    });
  };
  return signal;
}

it("keeps what a command wrote last when this process was too busy to read it in time", {
  timeout: 30_000,
}, async () => {
  const outputs: string[] = [];
  for (let run = 0; run < 3; run += 1) {
    const result = await runCommand({
      file: "/bin/sh",
      args: ["-c", "(sleep 0.05; echo the end) &"],
      options: {},
      stdin: undefined,
      timeoutMs: undefined,
      maxOutputBytes: 1000,
      signal: stallingSignal(600),
      end: async () => {},
      adopt: () => {},
    });
    outputs.push(result.stdout);
  }
  expect(outputs).toEqual(Array.from({ length: 3 }, () => "the end\n"));
});
