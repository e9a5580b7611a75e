import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startModelServer } from "@agentcompass/runner/testing";
import { expect, it, onTestFinished } from "vitest";
import { agentcompass, temporaryDirectory } from "./command.ts";

/** Address and text of every file that ran; a bundle names the file that each of its parts comes from. */
async function loadedFiles(coverage: string): Promise<string[]> {
  const reports = await Promise.all((await readdir(coverage)).map((name) => readFile(join(coverage, name), "utf8")));
  const urls = reports.flatMap((text) =>
    (JSON.parse(text) as { result: { url: string }[] }).result.map(({ url }) => url),
  );
  const files = [...new Set(urls)].filter((url) => url.startsWith("file:"));
  return Promise.all(files.map(async (url) => `${url}\n${await readFile(new URL(url), "utf8")}`));
}

/** Packages of providers whose code a run of one task loaded, as the engine's coverage tells. */
async function loadedBy(protocol: string): Promise<string[]> {
  const server = await startModelServer();
  onTestFinished(() => server.close());
  const [cwd, coverage] = [await temporaryDirectory(), await temporaryDirectory()];
  const data = join(cwd, "one.jsonl");
  await writeFile(data, `{"input": "6*7", "expected": "42"}\n`);
  const params = JSON.stringify({ path: data, scorer: "includes" });
  const model = ["--model-base-url", server.url, "--model-api-protocol", protocol];
  const ended = await agentcompass(["run", "jsonl", "openai_chat", "m", "--benchmark-params", params, ...model], {
    cwd,
    env: { NODE_V8_COVERAGE: coverage },
  });
  expect(ended.code, ended.stderr).toBe(0);
  expect(server.requests).toHaveLength(1);
  const loaded = await loadedFiles(coverage);
  return ["openai", "@anthropic-ai/sdk"].filter((name) =>
    loaded.some((code) => code.includes(`node_modules/${name}/`)),
  );
}

it.each([
  { protocol: "openai-chat", packages: ["openai"] },
  { protocol: "openai-responses", packages: ["openai"] },
  { protocol: "anthropic", packages: ["@anthropic-ai/sdk"] },
])("a run over $protocol loads the package of its provider alone", async ({ protocol, packages }) => {
  expect(await loadedBy(protocol)).toEqual(packages);
});
