import { z } from "zod";

export const HostProcessParams = z.strictObject({
  max_processes: z
    .int()
    .min(16)
    .nullish()
    .describe(
      "Most processes, threads counted, of a session; more cannot be started. Default: 4096 when AgentCompass runs as root, where each session has a user of its own; else none, since the system counts all processes of a user together.",
    ),
});
