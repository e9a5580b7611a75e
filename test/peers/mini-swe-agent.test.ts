import { fileURLToPath } from "node:url";
import type { ModelReply } from "@agentcompass/runner/testing";
import { beforeAll, describe, expect, it } from "vitest";
import {
  type Conduct,
  type Json,
  ownConduct,
  peerConducts,
  type Scenario,
  stepsByAgentCompass,
  TASK,
} from "./mini-swe-agent-run.ts";

const STARTER = fileURLToPath(new URL("../../packages/runner/data/starter/", import.meta.url));
const MARKER = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT";

let made = 0;
function called(name: string, text: string): unknown {
  made += 1;
  return { id: `call_${made}`, type: "function", function: { name, arguments: text } };
}
function bash(...commands: readonly unknown[]): ModelReply {
  const calls = commands.map((command) => called("bash", JSON.stringify({ command })));
  return { content: null, tool_calls: calls, stop_reason: "tool_calls" };
}
const other = (name: string, text: string): ModelReply => ({ content: "Hm.", tool_calls: [called(name, text)] });
const SUBMIT = bash(`echo ${MARKER}`);
const NO_CALL: ModelReply = { content: "I think that it is done." };

const FIX_MEDIAN = `cat > median.mjs <<'EOF'
export function median(numbers) {
  const sorted = [...numbers].sort((left, right) => left - right);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
EOF`;

const SCENARIOS: readonly Scenario[] = [
  { name: "submits at once", replies: [bash(`echo ${MARKER}; echo 42`)] },
  {
    name: "works on a starter task",
    files: `${STARTER}fix-median/environment`,
    readBack: "median.mjs",
    replies: [bash("ls -a; cat median.mjs"), { ...bash(FIX_MEDIAN), content: "I sort first." }, SUBMIT],
  },
  { name: "calls several commands in one reply", replies: [bash("echo a > f", "cat f", "pwd; cat g"), SUBMIT] },
  {
    name: "submits in the middle of a reply",
    replies: [bash("echo 1", `echo ${MARKER}`, "echo 2 > late")],
    readBack: "late",
  },
  { name: "replies without a call, then well", replies: [NO_CALL, bash("true"), NO_CALL, NO_CALL, SUBMIT] },
  { name: "replies three times without a call", replies: [bash("true"), NO_CALL] },
  { name: "is cut off at the token limit", replies: [{ ...NO_CALL, stop_reason: "length" }, SUBMIT] },
  {
    name: "calls the tool wrongly",
    replies: [other("bash", "{"), other("python", '{"command":"1"}'), SUBMIT, other("bash", '{"cmd":"ls"}')],
  },
  {
    name: "makes one wrong call among good ones",
    replies: [
      { content: "", tool_calls: [called("bash", '{"command":"touch a"}'), called("ls", "{}")] },
      bash("ls"),
      SUBMIT,
    ],
  },
  { name: "reaches the step limit", stepLimit: 3, replies: [bash("echo again")] },
  { name: "reaches the step limit by replies that are wrong", stepLimit: 2, replies: [NO_CALL] },
  {
    name: "runs a command past its time",
    commandTimeoutSeconds: 1,
    replies: [bash("echo begun; sleep 30; echo ended"), SUBMIT],
  },
  {
    name: "runs commands that fail",
    replies: [bash("exit 3", "nothing-of-this-name", "if then", "kill -9 $$"), SUBMIT],
  },
  {
    name: "submits with a command that fails",
    replies: [bash(`echo ${MARKER}; exit 1`), bash(`echo x; echo ${MARKER}`), SUBMIT],
  },
  { name: "submits below blank lines", replies: [bash(`printf '\\n \\t\\n${MARKER} \\r\\nfirst\\r\\nsecond'`)] },
  { name: "prints much", replies: [bash("seq 1 2500", "seq 1 1875", "yes é | head -n 6000", "seq 1 300000"), SUBMIT] },
  {
    name: "prints text that has to be escaped",
    replies: [bash("printf '<a href=\"x\">\\047 & é \\001 \\377\\n'; echo err >&2"), SUBMIT],
  },
  { name: "gives a command that is empty", replies: [bash("", " ", "# nothing"), SUBMIT] },
  { name: "gives commands that no shell takes", replies: [bash("a\0b", 5, null), SUBMIT] },
  {
    name: "thinks aloud",
    replies: [
      { ...bash("true"), content: "I look.", reasoning_content: "Hm." },
      { ...SUBMIT, content: "" },
    ],
  },
  { name: "meets an endpoint that refuses", replies: [bash("true"), { status: 401, error: "no such key" }] },
];

const OTHER_PROTOCOL: readonly Scenario[] = [
  {
    name: "works on a starter task",
    files: `${STARTER}fix-median/environment`,
    readBack: "median.mjs",
    replies: [bash("cat median.mjs", "ls"), { ...bash(FIX_MEDIAN), content: "I sort first." }, SUBMIT],
  },
  { name: "replies without a call", replies: [NO_CALL, bash("false"), NO_CALL] },
  { name: "reaches the step limit", stepLimit: 2, replies: [bash("true", "exit 4")] },
  { name: "prints much", replies: [bash("seq 1 5000"), bash(`echo ${MARKER}; echo 42`)] },
].map((scenario) => ({ ...scenario, protocol: "openai-responses" as const }));

describe("mini_swe_agent beside mini-swe-agent of PyPI", () => {
  let peers: readonly Conduct[] = [];

  beforeAll(async () => {
    peers = await peerConducts([...SCENARIOS, ...OTHER_PROTOCOL]);
  });

  it.each(SCENARIOS.map((scenario, index) => ({ ...scenario, index })))("$name", async ({ index, ...scenario }) => {
    const peer = peers[index];
    if (!peer) throw new Error(`the peer did not run "${scenario.name}"`);
    const own = await ownConduct(scenario);
    expect(own.requests.map((body) => comparable(body, own))).toEqual(
      peer.requests.map((body) => comparable(body, peer)),
    );
    expect(ending(own.trajectory)).toEqual(ending(peer.trajectory));
    expect(own.file).toBe(peer.file);
  });

  it.each(OTHER_PROTOCOL.map((scenario, index) => ({ ...scenario, index })))(
    "$name over $protocol",
    async ({ index, ...scenario }) => {
      const peer = peers[SCENARIOS.length + index];
      if (!peer) throw new Error(`the peer did not run "${scenario.name}"`);
      const own = await ownConduct(scenario);
      expect(own.requests.map((body) => comparableItems(body, own))).toEqual(
        peer.requests.map((body) => comparableItems(body, peer)),
      );
      const { exit_status, submission, model_stats } = own.trajectory.info;
      expect(peer.trajectory.info).toMatchObject({ exit_status, submission, model_stats });
      expect(own.file).toBe(peer.file);
    },
  );
});

describe("the raw trajectory of mini_swe_agent", () => {
  // Python loads a whole package for it, for half a minute on a busy machine.
  it("is read by AgentCompass as the steps that stand beside it", { timeout: 120_000 }, async () => {
    const replies = [
      { ...bash("echo 1; exit 2", "ls /nowhere"), content: "I look.", reasoning_content: "Hm." },
      bash("seq 1 3000"),
      bash(`echo ${MARKER}; echo 42`),
    ];
    const own = await ownConduct({ name: "three steps", replies });
    const [read] = await stepsByAgentCompass([own.trajectory]);
    const written = own.steps.map(({ assistant_content, metric, observation }) => {
      const { prompt_tokens_len, completion_tokens_len, stop_reason } = metric;
      return { ...assistant_content, prompt_tokens_len, completion_tokens_len, stop_reason, observation };
    });
    // The format has no place for what the submitting command printed.
    expect(read).toEqual(written.map((step, index) => (index === 2 ? { ...step, observation: [] } : step)));
  });
});

/** A request without its words: those of the two agents differ, all else may not. */
function comparable({ messages, ...others }: Json, { workspace }: Conduct): Json {
  const [, first] = messages;
  expect(first.content).toContain(TASK);
  expect(first.content).toContain(`echo ${MARKER}`);
  return { ...others, messages: messages.map((message: Json) => comparableMessage(message, workspace)) };
}

function comparableMessage({ content, ...others }: Json, workspace: string): Json {
  const { reasoning_content: _, ...message } = others;
  if (message.role === "assistant") return { ...message, content: content ?? "" };
  if (message.role !== "tool") return { ...message, content: "words" };
  return { ...message, content: observed(content, workspace) };
}

/** What a command did, and that there is a word about a failure or a cut, not which. */
function observed(content: string, workspace: string): Json {
  const { exception_info, warning, ...seen } = JSON.parse(content.replaceAll(workspace, "/workspace"));
  const told = { isException: Boolean(exception_info), isWarned: Boolean(warning) };
  return { ...seen, ...told, returncode: shellStatus(seen.returncode) };
}

/** The same of the Responses interface, whose items say in several forms who speaks. */
function comparableItems({ input, tools, ...others }: Json, { workspace }: Conduct): Json {
  const named = tools.map(({ strict, ...tool }: Json) => ({ ...tool, strict: strict ?? false }));
  return { ...others, tools: named, input: input.map((item: Json) => comparableItem(item, workspace)) };
}

function comparableItem(
  { type, role, content, call_id, name, arguments: given, output }: Json,
  workspace: string,
): Json {
  if (type === "function_call") return { type, call_id, name, given };
  if (type === "function_call_output") return { type, call_id, seen: observed(output, workspace) };
  return { role, words: role === "assistant" ? wordsOf(content) : "words" };
}

function wordsOf(content: Json): string {
  return typeof content === "string" ? content : content.map(({ text }: Json) => text).join("");
}

/** Python says -9 of a command that a signal ended, a shell 137; -1 is a command that was not run or was stopped. */
function shellStatus(returncode: number): number {
  return returncode < -1 ? 128 - returncode : returncode;
}

/** Names of Python's exceptions, beside the `exception_info` that both have. */
const PYTHON_ONLY = new Set(["exception", "exception_type"]);
const MODEL_FAILURES = new Set(["AuthenticationError", "ModelFailure"]);

function ending({ info, messages, trajectory_format }: Json): Json {
  const isFailed = MODEL_FAILURES.has(info.exit_status);
  return {
    trajectory_format,
    mini_version: info.mini_version,
    exit_status: isFailed ? "model failure" : info.exit_status,
    submission: info.submission,
    model_stats: info.model_stats,
    roles: messages.map(({ role }: Json) => role),
    extras: messages.map(extraFields),
  };
}

function extraFields({ role, extra }: Json): Json {
  if (role === "exit") return [];
  return Object.keys(extra ?? {})
    .filter((name) => !PYTHON_ONLY.has(name))
    .sort();
}
