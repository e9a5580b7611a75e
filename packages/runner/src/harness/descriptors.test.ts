import type { RunAsk } from "@agentcompass/core/plugin";
import { describe, expect, it } from "vitest";
import { environmentDescriptors } from "../environment/descriptors.ts";
import { harnessDescriptors } from "./descriptors.ts";
import { nop } from "./nop.ts";
import { oracle } from "./oracle.ts";

const all = [...harnessDescriptors, ...environmentDescriptors];

describe("a descriptor", () => {
  it.each(all)("$id describes every parameter and resolves without any", ({ params, description }) => {
    expect(description).toMatch(/\.$/);
    for (const [name, field] of Object.entries(params.shape)) {
      expect((field as { description?: string }).description, name).toBeTruthy();
    }
    expect(params.safeParse({}).success).toBe(true);
    expect(params.safeParse({ no_such_parameter: 1 }).success).toBe(false);
  });

  it("loads the component of its own id, or none where a later release brings it", async () => {
    const ready: string[] = [];
    for (const descriptor of all) {
      if (!descriptor.load) continue;
      const component = await descriptor.load();
      expect(component.id).toBe(descriptor.id);
      ready.push(component.id);
    }
    expect(ready).toEqual(["openai_chat", "oracle", "nop", "mini_swe_agent", "host_process"]);
  });

  it("gives the defaults of AgentCompass", () => {
    const defaultsOf = (id: string) => all.find((descriptor) => descriptor.id === id)?.params.parse({});
    expect(defaultsOf("openai_chat")).toEqual({ inject_network_restriction_notice: true, max_retries: 3 });
    expect(defaultsOf("terminus2")).toMatchObject({ parser_name: "json", max_turns: 300, tmux_pane_width: 160 });
    expect(defaultsOf("mini_swe_agent")).toMatchObject({ version: "2.4.5", step_limit: 250, launch_mode: "local" });
    expect(defaultsOf("docker")).toMatchObject({ command: ["tail", "-f", "/dev/null"], use_sudo_docker: false });
  });
});

describe("oracle", () => {
  it("answers with the reference solution", async () => {
    const run = await oracle.doRun({ applyReference: async () => "42" } as unknown as RunAsk);
    expect(run).toMatchObject({ final_answer: "42", issues: [], trajectory: null });
  });

  it("fails as fatal, naming the task, where there is none", async () => {
    const ask = { applyReference: undefined, prepared: { task_id: "t-7" } } as unknown as RunAsk;
    await expect(oracle.doRun(ask)).rejects.toMatchObject({
      name: "StageFailure",
      severity: "fatal",
      message: "oracle: task t-7 has no reference solution to apply",
    });
  });
});

it("nop answers with nothing and has no issue", async () => {
  const run = await nop.doRun({} as RunAsk);
  expect(run).toEqual({ final_answer: "", trajectory: null, issues: [], artifacts: {}, telemetry: {} });
});
