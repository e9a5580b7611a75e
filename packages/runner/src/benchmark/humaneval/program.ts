/** The candidate as the checker runs it: parts in their order, and what of the prompt stands before the function. */
export type CandidateProgram = {
  readonly parts: readonly string[];
  /** Imports and helper functions of the prompt, which tests may use too. */
  readonly head: string;
};

export type Problem = { readonly prompt: string; readonly entry_point: string };

/**
 * Makes a program of an answer. Of fenced code blocks the last that defines the function counts, else the last; without a fence
 * the whole answer. Code that defines the function runs after the prompt's imports and helpers; other code continues the prompt,
 * as the body of its function.
 */
export function candidateProgram(answer: string, problem: Problem): CandidateProgram {
  const code = candidateCode(answer, problem.entry_point);
  const head = promptHead(problem);
  if (defines(code, problem.entry_point)) return { parts: [head, code], head };
  return { parts: [`${problem.prompt.trimEnd()}\n${asBody(code)}\n`], head };
}

/** The prompt up to the function that it asks for; undefined when it defines none of that name. */
export function promptHead({ prompt, entry_point }: Problem): string {
  const start = [...prompt.matchAll(definition(entry_point))].at(-1)?.index;
  return start === undefined ? prompt : prompt.slice(0, start);
}

export function defines(code: string, name: string): boolean {
  return definition(name).test(code);
}

/** At the start of a line: `def name(`, `async def name(`, `class name`, or `name = `. */
function definition(name: string): RegExp {
  return new RegExp(
    String.raw`^(?:(?:async\s+)?def\s+${name}\s*\(|class\s+${name}\b|${name}\s*(?::[^=\n]+)?=(?!=))`,
    "gm",
  );
}

function candidateCode(answer: string, name: string): string {
  const text = answer.replaceAll("\r\n", "\n");
  const blocks = fencedBlocks(text);
  return blocks.findLast((block) => defines(block, name)) ?? blocks.at(-1) ?? text;
}

type Fence = { readonly mark: string; readonly indent: number; readonly lines: string[] };

/** Contents of ``` and ~~~ blocks; one that is never closed goes to the end. */
function fencedBlocks(text: string): readonly string[] {
  const blocks: string[] = [];
  let open: Fence | undefined;
  for (const line of text.split("\n")) {
    const fence = /^( *)(`{3,}(?!`)|~{3,}(?!~))([^`]*)$/.exec(line);
    const mark = fence?.[2] ?? "";
    if (!open) {
      if (fence) open = { mark, indent: fence[1]?.length ?? 0, lines: [] };
    } else if (fence && mark.startsWith(open.mark) && fence[3]?.trim() === "") {
      blocks.push(open.lines.join("\n"));
      open = undefined;
    } else {
      open.lines.push(withoutIndent(line, open.indent));
    }
  }
  return open ? [...blocks, open.lines.join("\n")] : blocks;
}

function withoutIndent(line: string, most: number): string {
  return line.slice(Math.min(most, indentOf(line)));
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/**
 * A body whose indentation was trimmed away gets it back: before its first line when only that one lost it, else before all. A
 * first line that opens a block tells by how far the next one stands in.
 */
function asBody(code: string): string {
  const lines = code.split("\n");
  const [first, second] = lines.filter((line) => line.trim() !== "");
  if (first === undefined || indentOf(first) > 0) return code;
  const opensBlock = /:\s*(?:#.*)?$/s.test(first);
  const next = second === undefined ? 0 : indentOf(second);
  const onlyFirst = opensBlock ? next > 4 : next >= 4;
  let indented = false;
  return lines
    .map((line) => {
      if (line.trim() === "" || (onlyFirst && indented)) return line;
      indented = true;
      return `    ${line}`;
    })
    .join("\n");
}
