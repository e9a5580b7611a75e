import { expect, it } from "vitest";
import { safeTitle } from "./process-title.ts";

it("shows a command line without the key that stands in it", () => {
  const start = ["node", "agentcompass", "run", "gsm8k", "openai_chat", "m"];
  expect(safeTitle([...start, "--model-api-key", "canary", "--k", "2"])).toBe(
    `${start.join(" ")} --model-api-key ******** --k 2`,
  );
  expect(safeTitle([...start, "--model-api-key=canary"])).toBe(`${start.join(" ")} --model-api-key=********`);
});

it("leaves a command line alone that holds no key", () => {
  for (const key of [[], ["--model-api-key", "${KEY}"], ["--model-api-key=${KEY}"], ["--model-api-key"]])
    expect(safeTitle(["node", "agentcompass", "run", ...key])).toBeUndefined();
});
