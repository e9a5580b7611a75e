import { spawn } from "node:child_process";
import { once } from "node:events";
import { hostname } from "node:os";
import { describe, expect, it } from "vitest";
import { systemClock, systemIds } from "./clock.ts";
import { createHolder, isHolderAlive } from "./holder.ts";
import { createLocalPorts } from "./local-ports.ts";
import { defaultStatePath } from "./state-path.ts";

describe("defaultStatePath", () => {
  it.each([
    [{ AGENTCOMPASS_STATE_DIR: "/state", XDG_STATE_HOME: "/xdg", HOME: "/home/me" }, "/state/permits.sqlite"],
    [{ XDG_STATE_HOME: "/xdg", HOME: "/home/me" }, "/xdg/agentcompass/permits.sqlite"],
    [
      { AGENTCOMPASS_STATE_DIR: "", XDG_STATE_HOME: "", HOME: "/home/me" },
      "/home/me/.local/state/agentcompass/permits.sqlite",
    ],
  ])("%j leads to %s", (environment, path) => {
    expect(defaultStatePath(environment)).toBe(path);
  });
});

describe("isHolderAlive", () => {
  it("this process is alive, and so are holders it cannot judge", () => {
    expect(isHolderAlive(createHolder())).toBe(true);
    expect(isHolderAlive("1@2@another-host-name.abc123")).toBe(true);
    expect(isHolderAlive("runner-7")).toBe(true);
  });

  it("a process with the same number but another start time is another process", () => {
    const [pid, , rest] = createHolder().split("@");
    expect(isHolderAlive(`${pid}@1@${rest}`)).toBe(process.platform !== "linux");
  });

  it("an ended process is dead", async () => {
    const child = spawn(process.execPath, ["-e", ""]);
    await once(child, "exit");
    expect(isHolderAlive(`${child.pid}@0@${hostname()}.abc123`)).toBe(false);
  });
});

describe("systemClock", () => {
  it("sleep rejects with the reason of its signal", async () => {
    const reason = new Error("enough");
    await expect(systemClock.sleep(60_000, AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    const sleep = systemClock.sleep(60_000, controller.signal);
    controller.abort(reason);
    await expect(sleep).rejects.toBe(reason);
  });

  it("a sleep of nothing ends, and ids are 32 hexadecimal digits", async () => {
    await systemClock.sleep(0);
    await systemClock.sleep(-5);
    expect(systemIds.hex()).toMatch(/^[0-9a-f]{32}$/);
    expect(Math.abs(systemClock.offsetMinutes(Date.now()))).toBeLessThanOrEqual(14 * 60);
  });
});

describe("createLocalPorts", () => {
  it("gives permits under this process's name and blobs under a folder", async () => {
    const ports = await createLocalPorts({ statePath: ":memory:" });
    const limits = [{ name: "provider:host_process", capacity: 1, intervalMs: 0 }];
    const decision = await ports.permits.acquire({ ticket: ports.ids.hex(), holder: ports.holder, limits });
    expect(decision.kind).toBe("granted");
    expect(ports.blobs("/results").locate("a")).toBe("/results/a");
    await ports.close();
  });
});
