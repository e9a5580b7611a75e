import { expect, it } from "vitest";
import { candidateProgram } from "./program.ts";

const PROMPT = 'import math\n\n\ndef half(x):\n    return x / 2\n\n\ndef area(r):\n    """ Area of a circle. """\n';
const HEAD = "import math\n\n\ndef half(x):\n    return x / 2\n\n\n";
const WHOLE = "def area(r):\n    return math.pi * r * r";
const problem = { prompt: PROMPT, entry_point: "area" };
const bodyAfterPrompt = (body: string): string[] => [`${PROMPT.trimEnd()}\n${body}\n`];

it.each([
  ["a fenced function", `Here you are:\n\`\`\`python\n${WHOLE}\n\`\`\`\nIt works.`],
  ["a fence without a language", `\`\`\`\n${WHOLE}\n\`\`\``],
  ["a fence of tildes", `~~~py\n${WHOLE}\n~~~`],
  ["a fence that is never closed", `\`\`\`python\n${WHOLE}`],
  ["Windows line ends", `\`\`\`python\r\n${WHOLE.replace("\n", "\r\n")}\r\n\`\`\``],
  ["the block that defines the function, of several", `\`\`\`\n${WHOLE}\n\`\`\`\nUse:\n\`\`\`\nprint(area(1))\n\`\`\``],
  ["the last definition of several", `\`\`\`\ndef area(r):\n    return 0\n\`\`\`\nBetter:\n\`\`\`\n${WHOLE}\n\`\`\``],
  [
    "a fence in a list, its indentation removed",
    `1. So:\n   \`\`\`python\n   def area(r):\n       return math.pi * r * r\n   \`\`\``,
  ],
  ["an answer that is nothing but code", WHOLE],
])("runs %s after the prompt's imports and helpers", (_case, answer) => {
  const { parts, head } = candidateProgram(answer, problem);
  expect(head).toBe(HEAD);
  expect(parts[0]).toBe(HEAD);
  expect(parts[1]?.trim()).toBe(WHOLE);
});

it.each([
  "area = lambda r: math.pi * r * r",
  "async def area(r):\n    return 1",
  "class area:\n    pass",
  "area: object = 3",
])("takes %j as a definition", (code) => expect(candidateProgram(code, problem).parts).toEqual([HEAD, code]));

it.each([
  "x = area(1)",
  "area == 3",
  "def areas(r):\n    return 1",
  "class Solution:\n    def area(self, r):\n        return 1",
])("takes %j as no definition", (code) => expect(candidateProgram(code, problem).parts).toHaveLength(1));

it.each([
  ["as it is", "    return math.pi * r * r", "    return math.pi * r * r"],
  ["fenced", "```python\n    s = r * r\n    return math.pi * s\n```", "    s = r * r\n    return math.pi * s"],
  ["one trimmed line", "return math.pi * r * r", "    return math.pi * r * r"],
  ["trimmed at its start", "s = r * r\n    return math.pi * s", "    s = r * r\n    return math.pi * s"],
  [
    "trimmed at its start, a block first",
    "if r < 0:\n        return 0\n    return r",
    "    if r < 0:\n        return 0\n    return r",
  ],
  ["moved to the margin", "s = r * r\nreturn math.pi * s", "    s = r * r\n    return math.pi * s"],
  [
    "moved to the margin, a block first",
    "if r < 0:\n    return 0\n\nreturn r",
    "    if r < 0:\n        return 0\n\n    return r",
  ],
])("continues the prompt with a body %s", (_case, answer, body) => {
  expect(candidateProgram(answer, problem).parts).toEqual(bodyAfterPrompt(body));
});

it("takes the last definition of the prompt for the function to complete", () => {
  const prompt = "def area(r): ...\n\n\ndef area(r):\n";
  expect(candidateProgram("def area(r): return 1", { prompt, entry_point: "area" }).head).toBe(
    "def area(r): ...\n\n\n",
  );
});
