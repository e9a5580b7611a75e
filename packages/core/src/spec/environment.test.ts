import { describe, expect, it } from "vitest";
import { mergeEnvironment } from "./environment.ts";

const merge = (...fields: Record<string, unknown>[]) =>
  mergeEnvironment(fields.map((one, index) => ({ fields: one, where: { path: `layer${index}` } })));

describe("mergeEnvironment", () => {
  it("merges setup and resources field by field and ignores nulls", () => {
    const merged = merge(
      { setup: { image: "a", workdir: "/w" }, resources: { cpu: 2, memory_mb: 512 } },
      { setup: { image: null, workdir: "/x" }, resources: { cpu: 4 }, evaluation_setup: null },
    );
    expect(merged.setup).toEqual({ image: "a", workdir: "/x" });
    expect(merged.resources).toEqual({ cpu: 4, memory_mb: 512 });
    expect(merged.evaluation_setup).toEqual({});
  });

  it("unites environment maps, the later layer wins", () => {
    const merged = merge({ env_variables: { A: "1", B: "1" } }, { env_variables: { B: "2" } });
    expect(merged.env_variables).toEqual({ A: "1", B: "2" });
  });

  it("replaces a whole network policy", () => {
    const merged = merge(
      { run_network_policy: { network_mode: "allowlist", allowed_hosts: ["A.com:443"] } },
      { run_network_policy: { network_mode: "no-network" } },
    );
    expect(merged.run_network_policy).toEqual({ network_mode: "no-network", allowed_hosts: [], denied_hosts: [] });
  });

  it.each([
    ["no GPU drops its kind", { gpu: 0 }, { gpu: 0 }],
    ["any kind drops the kind", { ignore_gpu_type: true }, { ignore_gpu_type: true }],
    ["another kind replaces it", { gpu_type: "b" }, { gpu_type: "b" }],
  ])("%s", (_case, over, wanted) => {
    expect(merge({ resources: { gpu_type: "a" } }, { resources: over }).resources).toEqual(wanted);
  });

  it.each([
    [{ resources: { gpu: 0, gpu_type: "a" } }, "layer0.resources.gpu_type"],
    [{ resources: { cpu: 0 } }, "layer0.resources.cpu"],
    [{ setup: { nope: 1 } }, "layer0.setup: unknown field 'nope'"],
    [{ run_network_policy: { allowed_hosts: ["a.com"] } }, "layer0.run_network_policy: allowed_hosts go with"],
    [{ run_network_policy: { network_mode: "allowlist", allowed_hosts: ["http://a.com"] } }, "allowed_hosts[0]"],
    [{ run_network_policy: { network_mode: "allowlist", allowed_hosts: ["a.com:99999"] } }, "allowed_hosts[0]"],
  ])("refuses %j with its path", (fields, text) => {
    expect(() => merge(fields)).toThrow(text);
  });

  it("keeps what belongs to the provider deeply merged", () => {
    expect(merge({ mounts: ["a"], deep: { a: 1 } }, { deep: { b: 2 } }).params).toEqual({
      mounts: ["a"],
      deep: { a: 1, b: 2 },
    });
  });
});
