import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const SERVER = fileURLToPath(new URL("stub-server.mjs", import.meta.url));

/** Runs `use(stub)` with a stub endpoint that answers after the given time; the endpoint ends with it. */
export async function withStub(delayMs, use) {
  const child = spawn(process.execPath, [SERVER, String(delayMs)], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "exit");
  try {
    const [port] = await Promise.race([
      once(child.stdout.setEncoding("utf8"), "data"),
      ended.then(([code]) => Promise.reject(new Error(`the stub endpoint ended with ${code}`))),
    ]);
    const origin = `http://127.0.0.1:${Number(port)}`;
    return await use({ url: `${origin}/v1`, takeCount: async () => (await fetch(`${origin}/count`)).json() });
  } finally {
    child.stdin.end();
    await ended;
  }
}

/** Fails unless the endpoint got exactly so many requests since it was last asked. */
export async function expectRequests(stub, expected, who) {
  const { requests, maxInFlight } = await stub.takeCount();
  if (requests !== expected) throw new Error(`${who} sent ${requests} requests, not ${expected}: nothing to compare`);
  return maxInFlight;
}
