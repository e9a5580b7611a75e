/** How many processes, threads counted, a session may have where it has a user of its own. */
export const DEFAULT_MAX_PROCESSES = 4096;

// dash names the limit -p, every other shell -u. Where the caller's own limit is lower already, that one stays.
const LIMIT = 'ulimit -u "$1" 2> /dev/null || ulimit -p "$1" 2> /dev/null; shift; exec "$@"';

/** The command that runs another one under a limit of the processes of its user; the process stays the same. */
export function limitProcesses(command: readonly string[], most: number | undefined): readonly string[] {
  return most === undefined ? command : ["/bin/sh", "-c", LIMIT, "sh", String(most), ...command];
}
