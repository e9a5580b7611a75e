import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { type ModelReply, startModelServer } from "@agentcompass/runner/testing";
import type { RunEvaluationOptions } from "@agentcompass/sdk";
import { describe, expect, it } from "vitest";
import { createPlace, type Ended, type Place } from "../options/place.ts";
import { calls, ownThreads, processesWith, submits, uniqueWord } from "./agent.ts";

/** One run of mini_swe_agent over tasks `t1`, `t2`, ... whose model gives these replies, the last one again and again. */
async function runAgent(
  place: Place,
  tasks: readonly (readonly ModelReply[])[],
  options: Partial<RunEvaluationOptions> = {},
): Promise<Ended> {
  const lines = tasks.map((_, index) =>
    JSON.stringify({ id: `t${index + 1}`, input: `task ${index + 1}`, expected: "OK" }),
  );
  const path = await place.write("tasks.jsonl", lines.join("\n"));
  await using server = await startModelServer(({ body }) => {
    const task = Number(/task (\d+)/.exec(JSON.stringify(body.messages))?.[1]);
    const turn = body.messages.filter((message: { role: string }) => message.role === "assistant").length;
    const replies = tasks[task - 1] ?? [];
    return replies[Math.min(turn, replies.length - 1)] ?? {};
  });
  return await place.run({
    benchmark: "jsonl",
    harness: "mini_swe_agent",
    model: "m",
    modelBaseUrl: server.url,
    modelApiKey: "k",
    benchmarkParams: { path, scorer: "includes" },
    ...options,
  });
}

/** A child two forks away, in a session of its own, that ignores SIGTERM. */
const survivor = (word: string): string =>
  `(setsid sh -c 'trap "" TERM; (trap "" TERM HUP INT; while :; do sleep 1; : ${word}; done) & wait' > /dev/null 2>&1 &)`;

describe("a child that ignores SIGTERM, two forks and a session away", () => {
  it("is gone when the run has ended", async () => {
    const place = await createPlace();
    const word = uniqueWord();
    const run = await runAgent(place, [[calls(`${survivor(word)}; sleep 0.2`), submits(`echo OK`)]]);
    expect([run.status, run.score]).toEqual(["completed", 1]);
    expect(processesWith(word)).toEqual([]);
  });

  it("is gone after a command that timed out, and after a run that did", async () => {
    const place = await createPlace();
    const [word, other] = [uniqueWord(), uniqueWord()];
    const command = await runAgent(
      place,
      [[calls(`${survivor(word)}; sleep 60`), submits(`grep -l "[h]${word.slice(1)}" /proc/[0-9]*/cmdline; echo OK`)]],
      { harnessParams: { command_timeout: 0.5 } },
    );
    expect(command.score).toBe(1);
    expect((await command.attempt()).final_answer).toBe("OK\n");
    const run = await runAgent(place, [[calls(`${survivor(other)}; sleep 60`)]], {
      executionParams: { run_timeout_seconds: 1, run_timer_compensation_seconds: 0.5 },
    });
    expect(run.score).toBe(0);
    expect([...processesWith(word), ...processesWith(other)]).toEqual([]);
  });
});

it("a fork bomb meets the limit of processes, leaves nothing, and other tasks of the run go on", async () => {
  const place = await createPlace();
  const word = uniqueWord();
  const isRoot = process.getuid?.() === 0;
  const bomb = `printf 'sh "$0" & sh "$0" & wait' > ${word}.sh; sh ${word}.sh`;
  const run = await runAgent(place, [[calls(bomb), submits("echo OK")], [submits("echo OK")]], {
    harnessParams: { command_timeout: 1 },
    environmentParams: { max_processes: isRoot ? 80 : ownThreads() + 80 },
    taskConcurrency: 2,
  });
  expect([run.status, run.score]).toEqual(["completed", 1]);
  expect(JSON.stringify((await run.attempt(1)).trajectory)).toMatch(/cannot fork|fork: (?:retry|resource)/i);
  expect(processesWith(word)).toEqual([]);
});

it("600 MB on stdout, one line of 20 MB and bytes that are no UTF-8 are bounded in memory and in results", async () => {
  const place = await createPlace();
  const zeros = (bytes: number, letter: string) => `head -c ${bytes} /dev/zero | tr '\\0' ${letter}`;
  const before = process.memoryUsage().rss;
  const run = await runAgent(
    place,
    [
      [calls(`${zeros(600_000_000, "a")}; echo`), submits("echo OK")],
      [submits(`${zeros(20_000_000, "b")}; echo OK`)],
      [submits(String.raw`printf 'x\377\376\300\257\355\240\200\0y OK'`)],
    ],
    { taskConcurrency: 1 },
  );
  expect([run.status, run.score]).toEqual(["completed", 1]);
  expect(process.resourceUsage().maxRSS * 1024 - before).toBeLessThan(300_000_000);
  expect((await run.attempt(3)).final_answer).toMatch(/^x\uFFFD+\0y OK$/);
  expect((await run.attempt(2)).final_answer.length).toBeLessThan(11_000_000);
  const { size } = await stat(join(run.directory, "progress.jsonl"));
  expect(size).toBeLessThan(1_000_000);
});

it("files with names that no text can hold, and folders without end, go with the session", async () => {
  const place = await createPlace();
  const names = String.raw`'\0377\0376' 'a\nb' '-rf' '--' '\0355\0240\0200' ' ' '*' '\0134'`;
  const make = [
    `for n in ${names}; do : > "./$(printf %b "$n")"; done`,
    `d="./$(printf 'd\\377')"; mkdir "$d"; : > "$d/file"`,
    `node -e 'for (let i = 0; i < 600; i += 1) { fs.mkdirSync("deep-folder"); process.chdir("deep-folder"); }'`,
    `chmod 0 "$d"; pwd; echo OK`,
  ];
  const run = await runAgent(place, [[submits(make.join("\n"))]]);
  expect([run.status, run.score]).toEqual(["completed", 1]);
  const workdir = (await run.attempt()).final_answer.split("\n")[0];
  expect(workdir).toMatch(/^\/.*agentcompass-jsonl-1-/);
  expect(existsSync(join(workdir, ".."))).toBe(false);
  expect(await readFile(join(run.directory, "run.log"), "utf8")).not.toContain("cannot be removed");
});
