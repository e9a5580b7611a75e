import { EnvironmentFields, ExecutionFields, ModelFields, RuntimeFields } from "@agentcompass/core/spec";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { documentedProgram } from "../../scripts/docs-commands.ts";
import { allPages, blocksOf } from "./markdown.ts";

const program = documentedProgram();
const pages = await allPages();

type Shown = { readonly where: string; readonly words: readonly string[] };

/** Every `npx agentcompass ...` of the shell blocks, continued lines joined. */
const shown: Shown[] = pages.flatMap(blocksOf).flatMap((block) => {
  if (block.info !== "sh") return [];
  const lines = block.text.replaceAll("\\\n", " ").split("\n");
  return lines.flatMap((line) => {
    const command = /npx agentcompass (.*)$/.exec(line)?.[1];
    if (command === undefined) return [];
    const words = [...command.matchAll(/'[^']*'|\S+/g)].map(([word]) => word.replaceAll("'", ""));
    return [{ where: `${block.page}:${block.line}`, words }];
  });
});

function find(words: readonly string[]): Command | undefined {
  return program.commands.find((command) => command.name() === words[0]);
}

/** The command that the words reach: `list benchmark` is one of `list`. */
function reached(words: readonly string[]): Command | undefined {
  const command = find(words);
  return command?.commands.find((child) => child.name() === words[1]) ?? command;
}

function longOptions(command: Command): string[] {
  return command.options.map((option) => option.long ?? "").filter((long) => long !== "");
}

function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}

describe("commands in the documentation", () => {
  it("are many", () => expect(shown.length).toBeGreaterThan(5));

  it.each(shown)("use a command and options that exist ($where)", ({ words }) => {
    expect(find(words)?.name()).toBe(words[0]);
    const command = reached(words);
    const used = words.filter((word) => word.startsWith("--"));
    for (const option of used) expect(command ? longOptions(command) : []).toContain(option);
  });

  it("give JSON where an option takes JSON", () => {
    for (const { where, words } of shown)
      for (const [index, word] of words.entries())
        if (word.endsWith("-params")) expect(() => JSON.parse(words[index + 1] ?? ""), where).not.toThrow();
  });
});

describe("docs/options.md", () => {
  const text = pages.find((page) => page.name === "docs/options.md")?.text ?? "";
  const used = ["run", "launch", "summary", "config"].map((name) => find([name])).filter((one) => one !== undefined);
  const options = [...new Set(used.flatMap(withSubcommands).flatMap(longOptions))].filter(
    (long) => !/^--(no|empty)-|^--help$/.test(long),
  );

  it.each(options)("has a row for %s", (option) => {
    expect(text).toMatch(new RegExp(`\`(?:[^\`]* )?${option}\\b`));
  });

  it.each([
    ["execution", ExecutionFields],
    ["runtime", RuntimeFields],
    ["environment", EnvironmentFields],
    ["model", ModelFields],
  ] as const)("names every field of %s", (_section, schema) => {
    for (const field of Object.keys(schema.shape)) expect(text).toMatch(new RegExp(`[\`.]${field}[\`.:]`));
  });
});
