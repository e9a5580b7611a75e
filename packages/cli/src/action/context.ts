import type { Host } from "../host.ts";

/** What an action gets: the process, and a way to say how the command ends. */
export type ActionContext = {
  readonly host: Host;
  readonly setExitCode: (code: number) => void;
};
