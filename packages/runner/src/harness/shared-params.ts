import { z } from "zod";

/** Parameters that every harness takes. */
export const sharedHarnessParams = {
  inject_network_restriction_notice: z
    .boolean()
    .default(true)
    .describe("Tell the agent in its prompt when a network policy other than public applies."),
};
