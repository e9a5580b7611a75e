import { posix } from "node:path";
import type { EnvironmentSession } from "@agentcompass/core/plugin";

/** What a verifier left: a reward, or why there is none. */
export type Reward = { readonly value: number } | { readonly problem: string };

const MAX_BYTES = 65_536;

/** Reads `reward.txt` (one number) or else `reward.json` (an object with the number `reward`). */
export async function readReward(session: EnvironmentSession, folder: string): Promise<Reward> {
  const text = await session.readText(posix.join(folder, "reward.txt"), MAX_BYTES);
  if (text !== undefined) return parseNumber(text);
  const json = await session.readText(posix.join(folder, "reward.json"), MAX_BYTES);
  return json === undefined ? { problem: "it wrote neither reward.txt nor reward.json" } : parseObject(json);
}

function parseNumber(text: string): Reward {
  const trimmed = text.trim();
  if (trimmed === "") return { problem: "reward.txt is empty" };
  const value = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(trimmed) ? Number(trimmed) : Number.NaN;
  return Number.isFinite(value) ? { value } : { problem: `reward.txt holds no number: ${shown(trimmed)}` };
}

function parseObject(text: string): Reward {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && "reward" in value && typeof value.reward === "number")
      return { value: value.reward };
  } catch {
    // Said below, like JSON without a reward.
  }
  return { problem: `reward.json holds no number "reward": ${shown(text.trim())}` };
}

function shown(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}...` : text);
}
