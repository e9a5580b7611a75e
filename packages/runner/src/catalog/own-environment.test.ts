import { fileURLToPath } from "node:url";
import type { Environment } from "@agentcompass/core/plugin";
import * as plugin from "@agentcompass/core/plugin";
import { expect, it } from "vitest";
import { openAsk } from "../../testing/environment-suite.ts";
import { hostProcess } from "../environment/host-process.ts";
import { builtinCatalog, loadComponentFiles } from "./index.ts";

const path = fileURLToPath(new URL("../../../../examples/components/environment.ts", import.meta.url));

async function load(): Promise<Environment> {
  const api = { ...plugin, builtinEnvironment: async () => hostProcess };
  const files = [{ path, where: "test" }];
  const { environment } = await loadComponentFiles({ catalog: builtinCatalog(), files, api });
  const found = await environment.get("seeded_process")?.load?.();
  if (!found) throw new Error(`${path} defines no environment seeded_process`);
  return found;
}

it("an environment from a file is asked with its own parameters", async () => {
  const session = await (await load()).doOpen(openAsk({ params: { files: { "in/hello.txt": "hello" } } }));
  try {
    expect((await session.exec({ command: ["cat", "in/hello.txt"] })).stdout).toBe("hello");
  } finally {
    await session.close();
  }
});
