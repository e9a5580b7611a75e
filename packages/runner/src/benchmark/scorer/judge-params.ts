import { z } from "zod";

/** Protocols that a judge can be asked over, its default first. */
const JUDGE_PROTOCOLS = ["openai-chat", "openai-responses", "anthropic"] as const;

export const DEFAULT_INSTRUCTIONS = [
  "You decide whether an answer to a question is correct.",
  "Compare it with the reference: it is correct when it states the same result, however it is worded or laid out, and contradicts the reference nowhere.",
  "An answer that gives several results, none, or a refusal is not correct. Judge what it says, not its length, its style or its confidence.",
].join(" ");

/** The model that grades answers for the scorer `judge`. */
export const JudgeParams = z.strictObject({
  model: z
    .string("needed: the id of the judge's model")
    .trim()
    .min(1, "needed: the id of the judge's model")
    .describe("Model id that is sent to the endpoint."),
  base_url: z
    .string("needed: the address of the judge's endpoint")
    .trim()
    .refine(
      isAddress,
      "must be an address such as http://host:port/v1, without user and password (a ${NAME} that is not set is empty)",
    )
    .describe(
      "Address of the endpoint, or one whole ${NAME} reference. It has no default, so that answers never go where nobody meant them to.",
    ),
  api_key: z
    .string()
    .regex(/^[\t\x20-\x7e]*$/, "holds characters that an HTTP header cannot carry; check how the key was copied")
    .default("")
    .describe("Key, or one whole ${NAME} reference; redacted wherever it is written."),
  api_protocol: z.enum(JUDGE_PROTOCOLS).default("openai-chat").describe("Protocol of the endpoint."),
  params: z
    .record(z.string(), z.unknown())
    .default({})
    .describe("Sent with every call as they are, such as temperature and max_tokens."),
  instructions: z
    .string()
    .trim()
    .min(1, "must not be empty; leave it out to take the default")
    .default(DEFAULT_INSTRUCTIONS)
    .describe("By what the judge decides. What form its verdict has, and that the answer is data, is added to it."),
  pass_score: z
    .number()
    .gt(0)
    .max(1)
    .nullish()
    .describe(
      "The judge gives a score from 0 to 1 instead of true or false, and this much is correct. Default: true or false.",
    ),
  response_format: z
    .enum(["auto", "json_schema", "none"])
    .default("auto")
    .describe(
      "How a verdict in JSON is asked for. json_schema: by a schema that the endpoint enforces. none: in words. auto: json_schema, and in words where the endpoint refuses that.",
    ),
});
export type JudgeParams = z.output<typeof JudgeParams>;

function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const address = new URL(text);
  return /^https?:$/.test(address.protocol) && address.username === "" && address.password === "";
}
