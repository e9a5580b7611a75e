import type { Host, StopSignal } from "./host.ts";
import type { Sdk } from "./sdk-surface.ts";

/** The host of a real process. */
export function processHost(process: NodeJS.Process): Host {
  return {
    sdk: loadSdk,
    stdout: { write: (text) => void process.stdout.write(text) },
    stderr: { write: (text) => void process.stderr.write(text) },
    env: process.env,
    isTty: process.stderr.isTTY === true && process.env["TERM"] !== "dumb",
    terminalSize: () => ({ columns: process.stderr.columns || 80, rows: process.stderr.rows || 24 }),
    now: () => new Date(),
    every(milliseconds, callback) {
      const timer = setInterval(callback, milliseconds);
      timer.unref();
      return () => clearInterval(timer);
    },
    onStopSignal: (listener) => listenToSignals(process, listener),
    exitNow: (code) => process.exit(code),
  };
}

async function loadSdk(): Promise<Sdk> {
  return await import("@agentcompass/sdk");
}

function listenToSignals(process: NodeJS.Process, listener: (signal: StopSignal) => void): () => void {
  process.on("SIGINT", listener);
  process.on("SIGTERM", listener);
  return () => {
    process.off("SIGINT", listener);
    process.off("SIGTERM", listener);
  };
}

/** A reader that closes its end of a pipe early (`| head`) is no failure. */
export function ignoreBrokenPipe(stream: NodeJS.WriteStream): void {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}

/** Resolves when everything written so far has left the process, or cannot. */
export function flush(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed) resolve();
    else stream.write("", () => resolve());
  });
}
