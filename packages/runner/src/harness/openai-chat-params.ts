import { z } from "zod";
import { sharedHarnessParams } from "./shared-params.ts";

export const OpenAiChatParams = z.strictObject({
  ...sharedHarnessParams,
  max_retries: z
    .number()
    .int()
    .min(1)
    .default(3)
    .describe("Calls of the model in total, each with the client's own two retries; 4 to 30 s lie between them."),
});
export type OpenAiChatParams = z.infer<typeof OpenAiChatParams>;
