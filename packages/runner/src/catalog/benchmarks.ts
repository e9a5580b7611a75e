import type { Benchmark, ComponentDescriptor } from "@agentcompass/core/plugin";
import { HarborParams } from "../benchmark/harbor/params.ts";
import { HumanEvalParams } from "../benchmark/humaneval/params.ts";
import { JsonlParams, PlainParams } from "../benchmark/params.ts";
import { SwebenchVerifiedParams, TerminalBenchParams } from "./later-params.ts";

/** Benchmarks that can be run; what they do is imported when first needed. */
const READY: readonly ComponentDescriptor<Benchmark>[] = [
  {
    kind: "benchmark",
    id: "starter",
    description:
      "Twelve small tasks with files, code and data that need only sh and node; they come with AgentCompass.",
    params: PlainParams,
    load: async () => (await import("../benchmark/starter.ts")).createStarterBenchmark(),
  },
  {
    kind: "benchmark",
    id: "harbor",
    description:
      "Tasks in the Harbor format (instruction.md, task.toml, tests/test.sh): any folder, or a git repository at a commit.",
    params: HarborParams,
    load: async () => (await import("../benchmark/harbor/index.ts")).harbor,
  },
  {
    kind: "benchmark",
    id: "gsm8k",
    description: "GSM8K: 1,319 grade-school word problems, right when the last number of the answer is.",
    params: PlainParams,
    load: async () => (await import("../benchmark/gsm8k.ts")).createGsm8kBenchmark(),
  },
  {
    kind: "benchmark",
    id: "humaneval",
    description:
      "HumanEval: 164 Python functions to complete, right when their tests pass; runs candidates with Python.",
    params: HumanEvalParams,
    load: async () => (await import("../benchmark/humaneval/index.ts")).createHumanEvalBenchmark(),
  },
  {
    kind: "benchmark",
    id: "jsonl",
    description: "Your own file: one JSON object a line with id, input, expected and category, scored as you choose.",
    params: JsonlParams,
    load: async () => (await import("../benchmark/jsonl.ts")).jsonl,
  },
];

/** Benchmarks of later releases: a spec may name and configure them, a run refuses them. */
const LATER: readonly ComponentDescriptor<Benchmark>[] = [
  {
    kind: "benchmark",
    id: "terminal_bench_2",
    description: "Terminal-Bench 2: tasks in a terminal, each in its own container.",
    params: TerminalBenchParams,
    load: null,
  },
  {
    kind: "benchmark",
    id: "terminal_bench_2_1",
    description: "Terminal-Bench 2.1: the revised tasks of Terminal-Bench 2.",
    params: TerminalBenchParams,
    load: null,
  },
  {
    kind: "benchmark",
    id: "terminal_bench_2_verified",
    description: "Terminal-Bench 2 Verified: the tasks of Terminal-Bench 2 with checked environments and tests.",
    params: TerminalBenchParams,
    load: null,
  },
  {
    kind: "benchmark",
    id: "swebench_verified",
    description: "SWE-bench Verified: 500 real issues of Python projects, judged by the projects' tests.",
    params: SwebenchVerifiedParams,
    load: null,
  },
];

export const benchmarkDescriptors: readonly ComponentDescriptor<Benchmark>[] = [...READY, ...LATER];
