/**
 * Permissions of directories that are made for results. As root commands of an agent run under users of their own: those must not
 * read what other tasks answered or were expected to answer. For any other user the umask decides, as for every program.
 */
export function directoryMode(uid: number | undefined = process.getuid?.()): number {
  return uid === 0 ? 0o700 : 0o777;
}
