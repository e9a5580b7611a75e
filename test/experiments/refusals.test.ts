/** What is refused before anything runs (reference 11.4); a difference is named where there is one. */
import { readdir, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { agentcompass, temporaryDirectory } from "../cli/command.ts";
import { openLab } from "./lab.ts";

const ONE_LINE = /^Error: [^\n]+\n$/;

describe("what is refused ends with exit 2 and one line, nothing asked and nothing written:", () => {
  it("an existing run id, as AgentCompass; the run that is there stays as it was", async () => {
    const lab = await openLab([{}]);
    expect((await lab.run("r")).code).toBe(0);
    const before = await lab.look("r");
    const { code, stdout, stderr } = await lab.run("r");
    expect([code, stdout, lab.model.requests.length]).toEqual([2, "", 1]);
    expect(stderr).toMatch(ONE_LINE);
    expect(stderr).toContain("'r' exists already");
    expect((await lab.look("r")).info).toEqual(before.info);
  });

  it("an unknown benchmark, where AgentCompass exits 1 with a traceback", async () => {
    const cwd = await temporaryDirectory();
    const { code, stdout, stderr } = await agentcompass(["run", "gsm9k", "openai_chat", "m"], { cwd });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(ONE_LINE);
    expect(stderr).toContain("gsm8k");
    expect(await readdir(cwd)).toEqual([]);
  });

  it.each([
    ["an unknown option, as AgentCompass", ["--max-retrys", "1"], "--max-retrys"],
    ["JSON that cannot be read, as AgentCompass", ["--model-params", "{temperature: 1}"], "--model-params"],
    [
      "an unknown parameter, where AgentCompass exits 1 with a traceback",
      ["--benchmark-params", '{"pat": "x"}'],
      "pat",
    ],
    [
      "zero tasks, where AgentCompass completes with exit 0",
      ["--benchmark-params", '{"path": "empty.jsonl"}'],
      "empty.jsonl",
    ],
    ["missing data, where AgentCompass exits 1", ["--benchmark-params", '{"path": "absent.jsonl"}'], "absent.jsonl"],
  ])("%s", async (_name, args, named) => {
    const lab = await openLab([{}]);
    await writeFile(`${lab.cwd}/empty.jsonl`, "\n");
    const { code, stdout, stderr } = await lab.run("r", args);
    expect([code, stdout, lab.model.requests.length]).toEqual([2, "", 0]);
    expect(stderr).toMatch(ONE_LINE);
    expect(stderr).toContain(named);
    expect((await readdir(lab.cwd)).sort()).toEqual(["empty.jsonl", "tasks.jsonl"]);
  });
});
