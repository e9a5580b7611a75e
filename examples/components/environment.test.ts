/** The contract of an environment as tests of one's own: npx vitest run examples/components/environment.test.ts */
import { fileURLToPath } from "node:url";
import { components, type Environment } from "agentcompass";
import { environmentSuite } from "agentcompass/testing";

const file = fileURLToPath(new URL("./environment.ts", import.meta.url));

async function load(): Promise<Environment> {
  const catalog = await components({ components: file });
  const environment = await catalog.environment.get("seeded_process")?.load?.();
  if (!environment) throw new Error(`${file} defines no environment seeded_process`);
  return environment;
}

environmentSuite("seeded_process keeps the contract of an environment", load, { params: { files: {} } });
