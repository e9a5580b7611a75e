import { homedir } from "node:os";
import { join } from "node:path";

/**
 * The state file that the runs of a user share: in AGENTCOMPASS_STATE_DIR, else in
 * $XDG_STATE_HOME/agentcompass, else in ~/.local/state/agentcompass. Empty variables count as unset.
 */
export function defaultStatePath(environment: Readonly<Record<string, string | undefined>>): string {
  const base = environment["XDG_STATE_HOME"] || join(environment["HOME"] || homedir(), ".local", "state");
  return join(environment["AGENTCOMPASS_STATE_DIR"] || join(base, "agentcompass"), "permits.sqlite");
}
