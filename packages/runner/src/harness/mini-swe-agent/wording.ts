/** What the agent says to the model. The rules are mini-swe-agent's, the words are ours. */

export const SUBMIT_MARKER = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT";

export const SYSTEM_PROMPT = "You solve tasks on a computer by running commands in its shell.";

/** The first word of the user: the task, then how work goes on here. `system` is empty where the system did not say. */
export function firstMessage(task: string, system: string): string {
  return `Your task:

${task}

# How you work

Each of your replies says briefly what you found out and what you do next, and calls the tool \`bash\` at least once. The
commands of a reply run one after the other, and then you get the exit status and the output of each. Go on from there until
the task is done.

- Every command starts in a new shell in the same working directory: a \`cd\` or a variable does not outlive its command.
  Put what belongs together into one command, such as \`cd sub/folder && ls\`.
- Nobody answers questions of a command: use flags that ask nothing, and no editors or pagers.
- A command that prints very much is shown with its middle left out; print less, or into a file.
- A reply without a call of \`bash\` is an error. After several in a row the run is over.

A good order: look at the files that matter, see the problem with your own eyes, change what is needed, check the result, think of
the unusual cases, then submit.

# How you submit

When all is done, run this command alone in a reply of its own:

    echo ${SUBMIT_MARKER}

It ends the task at once: nothing can be changed or added after it. Whatever the command prints below that line is your
submission.
${system === "" ? "" : `\n# The system\n\n${system}\n`}`;
}

/** What a harness-independent task does not say: answer, files and the end. */
export function taskWithOutputs(
  prompt: string,
  output: {
    readonly answer: string | null;
    readonly files: readonly { readonly path: string; readonly description: string }[];
  },
): string {
  const lines = [prompt.trim()];
  if (output.answer) lines.push("", `Expected answer: ${output.answer}`);
  if (output.files.length > 0) lines.push("", "These files have to be there before you submit:");
  for (const { path, description } of output.files) lines.push(`- ${path}${description ? `: ${description}` : ""}`);
  lines.push("", `You end the task by a command that succeeds and prints ${SUBMIT_MARKER} as its first line.`);
  if (output.answer) lines.push("Let it print your final answer below that line.");
  return lines.join("\n");
}

export function noToolCall(isCutOff: boolean, stopReason: string | null): string {
  if (isCutOff) {
    return `Your reply was cut off at the token limit (stop reason ${stopReason}) before it held a usable call of bash. Think and write less, and call bash once.`;
  }
  return callRefused(["the reply holds no tool call"]);
}

export function callRefused(problems: readonly string[]): string {
  return `Nothing was executed: ${problems.join("; ")}.

Every reply has to call the tool \`bash\` with one argument, for example {"command": "ls -la"}.
If the task is done, run \`echo ${SUBMIT_MARKER}\` and nothing else.`;
}

export function unreadableArguments(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return `the arguments of a tool call are no JSON (${reason.slice(0, 200)})`;
}

export function unknownTool(name: string): string {
  return `there is no tool "${name.slice(0, 100)}"`;
}

export function missingCommand(): string {
  return 'a tool call has no argument "command"';
}

export function timedOut(seconds: number): string {
  return `The command was stopped after ${Number(seconds.toFixed(1))} seconds.`;
}

export const NOT_A_COMMAND = "The command was not run: it is no text.";
export const NUL_IN_COMMAND = "The command was not run: it contains a NUL character, which no shell takes.";
export const OUTPUT_TOO_LONG = "The middle of the output was left out; print less.";
