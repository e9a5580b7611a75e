import type { EnvironmentSession } from "@agentcompass/core/plugin";
import { hostProcess } from "../src/environment/host-process.ts";

/** A session on this machine that is closed with the block that uses it. */
export async function openHost(): Promise<AsyncDisposable & { readonly session: EnvironmentSession }> {
  const session = await hostProcess.doOpen({
    params: {},
    setup: {},
    resources: {},
    env: {},
    label: "test",
    signal: new AbortController().signal,
    log: () => {},
  });
  return { session, [Symbol.asyncDispose]: () => session.close() };
}
