import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import type { ModelReply } from "@agentcompass/runner/testing";

/** A reply of a model that runs one command and hands in what it prints. */
export function submits(command: string): ModelReply {
  return calls(`echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT\n${command}`);
}

/** A reply of a model that runs one command. */
export function calls(command: string): ModelReply {
  const call = { id: "c1", type: "function", function: { name: "bash", arguments: JSON.stringify({ command }) } };
  return { content: null, tool_calls: [call], stop_reason: "tool_calls" };
}

/** A word that no other process of this machine has on its command line. */
export function uniqueWord(): string {
  return `hostile${randomUUID().replaceAll("-", "")}`;
}

/** Numbers of the living processes whose command line holds the word. */
export function processesWith(word: string): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid && procText(pid, "cmdline").includes(word));
}

/** Threads of this process's user, which its limit of processes counts. */
export function ownThreads(): number {
  const uid = process.getuid?.();
  const threads = readdirSync("/proc").map((name) => {
    const status = /^\d+$/.test(name) ? procText(Number(name), "status") : "";
    return Number(/^Uid:\s+(\d+)/m.exec(status)?.[1]) === uid ? Number(/^Threads:\s+(\d+)/m.exec(status)?.[1]) : 0;
  });
  return threads.reduce((sum, count) => sum + count, 0);
}

function procText(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return "";
  }
}
