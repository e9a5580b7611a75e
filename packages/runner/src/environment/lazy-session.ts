import { EnvironmentFailure, type EnvironmentSession } from "@agentcompass/core/plugin";

export type LazyAsk = {
  readonly workdir: string;
  readonly scratch: string;
  /** Makes the session; called once, at its first use. */
  readonly open: () => Promise<EnvironmentSession>;
};

/**
 * A session that is made when it is first used: a task that only asks a model a question costs no directory and no process.
 * Closing one that was never used does nothing; using a closed one throws EnvironmentFailure.
 */
export function lazySession(ask: LazyAsk): EnvironmentSession {
  let opened: Promise<EnvironmentSession> | undefined;
  let closed = false;
  const use = (): Promise<EnvironmentSession> => {
    if (closed) return Promise.reject(new EnvironmentFailure("host_process: the session is closed"));
    opened ??= ask.open();
    return opened;
  };
  return {
    workdir: ask.workdir,
    scratch: ask.scratch,
    exec: async (command) => (await use()).exec(command),
    upload: async (from, to) => (await use()).upload(from, to),
    download: async (from, to) => (await use()).download(from, to),
    readText: async (path, maxBytes) => (await use()).readText(path, maxBytes),
    writeText: async (path, text) => (await use()).writeText(path, text),
    remove: async (path) => (await use()).remove(path),
    close: async () => {
      closed = true;
      const session = await opened?.catch(() => undefined);
      await session?.close();
    },
  };
}
