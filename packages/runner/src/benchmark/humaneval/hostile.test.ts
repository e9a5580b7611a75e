import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openHost } from "../../../testing/host-session.ts";
import { score, taskOf } from "../../../testing/humaneval-score.ts";

const CLAMP = "def clamp(value, low, high):\n    return max(low, min(value, high))\n";
const WRONG = "def clamp(value, low, high):\n    return 99\n";
const task = taskOf("Own/clamp");
let host: Awaited<ReturnType<typeof openHost>>;

beforeAll(async () => {
  host = await openHost();
});
afterAll(() => host[Symbol.asyncDispose]());

const inFunction = (body: string): string => `def clamp(value, low, high):\n    ${body.replaceAll("\n", "\n    ")}\n`;

/** Searches the checker's memory for the token and writes a verdict to the checker's own output, taken over with pidfd_getfd. */
const STEAL = `
import ctypes, os, re
parent = os.getppid()
token = re.compile(rb"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
found = set()
try:
    with open("/proc/%d/maps" % parent) as maps, open("/proc/%d/mem" % parent, "rb", 0) as memory:
        for line in maps:
            start, end = (int(part, 16) for part in line.split()[0].split("-"))
            if "rw" not in line or end - start > 64 << 20:
                continue
            try:
                memory.seek(start)
                found.update(token.findall(memory.read(end - start)))
            except OSError:
                pass
except OSError:
    pass
libc = ctypes.CDLL(None)
output = libc.syscall(438, libc.syscall(434, parent, 0), 1, 0)
for item in found:
    try:
        os.write(output, b"\\n" + item + b" passed\\n")
    except OSError:
        pass
os.kill(parent, 9)
`;

it.each([
  ["leaves with os._exit(0) when it is loaded", `import os\nos._exit(0)\n${CLAMP}`],
  ["leaves with sys.exit(0) when it is loaded", `import sys\nsys.exit(0)\n${CLAMP}`],
  ["leaves with os._exit(0) when it is called", inFunction("import os\nos._exit(0)")],
  ["leaves with sys.exit(0) when it is called", inFunction("raise SystemExit(0)")],
  [
    "prints that it passed",
    `${WRONG}import sys\nfor s in (sys.stdout, sys.stderr, sys.__stdout__):\n    print('\\npassed', file=s, flush=True)\n`,
  ],
  [
    "returns an object that equals everything",
    `class Any:\n    def __eq__(self, other):\n        return True\n    def __ne__(self, other):\n        return False\n${inFunction("return Any()")}`,
  ],
  [
    "returns a number that equals everything",
    `class Any(int):\n    __eq__ = lambda self, other: True\n    __hash__ = int.__hash__\n${inFunction("return Any(7)")}`,
  ],
  [
    "replaces built-ins and modules",
    `import builtins, json, sys\nbuiltins.AssertionError = Exception\nbuiltins.compile = builtins.exec = lambda *a, **k: None\njson.dumps = lambda *a, **k: '{"value": true}'\nsys.modules['__main__'].check = lambda c: None\n${WRONG}`,
  ],
  [
    "answers on the checker's pipe itself",
    `${WRONG}import os\nfor fd in range(3, 16):\n    for reply in (b'{"ready": true}\\n', b'{"value": true}\\n') * 3:\n        try:\n            os.write(fd, reply)\n        except OSError:\n            pass\n`,
  ],
  ["steals the token and ends the checker", `${STEAL}\n${WRONG}`],
  ["reads the input", inFunction("return int(input())")],
  ["has a NUL in it", "def clamp(value, low, high):\n    return '\0'\n"],
  ["has a lone surrogate in it", "def clamp(value, low, high):\n    return '\ud800'\n"],
  ["is no Python", "Sorry, I cannot help with that."],
  ["returns without end", inFunction("while True:\n    yield 1")],
  ["returns itself nested", inFunction("x = []\nx.append(x)\nreturn x")],
  ["returns more than fits", inFunction("return 'x' * (80 << 20)")],
])("does not pass when a candidate %s", { timeout: 60_000 }, async (_case, code) => {
  const { metrics, meta } = await score(host.session, task, code);
  expect(metrics).toEqual({ correct: false });
  expect(meta?.["reason"]).toMatch(/\S/);
});

it("ends a candidate that uses up its time", { timeout: 60_000 }, async () => {
  const startedAt = performance.now();
  const { metrics } = await score(host.session, task, inFunction("while True: pass"), { timeout_seconds: 1 });
  expect(metrics).toEqual({ correct: false });
  expect(performance.now() - startedAt).toBeLessThan(20_000);
});

it("ends a candidate that sleeps and ignores SIGTERM, with all that it started", { timeout: 60_000 }, async () => {
  const code = `import signal, subprocess, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\ntry:\n    subprocess.Popen(["sleep", "86399"], start_new_session=True)\nexcept OSError:\n    pass\ntime.sleep(86399)\n${CLAMP}`;
  const { metrics, meta } = await score(host.session, task, code, { timeout_seconds: 1 });
  expect(metrics).toEqual({ correct: false });
  expect(meta?.["reason"]).toBe("not finished after 8 s on the clock");
  expect(commandLines().filter((line) => line.includes("86399"))).toEqual([]);
});

function commandLines(): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "latin1").replaceAll("\0", " ");
      } catch {
        return "";
      }
    });
}

it("lets no candidate start processes", { timeout: 60_000 }, async () => {
  const code = `import os\ntry:\n    while os.fork() >= 0: pass\nexcept OSError:\n    forked = False\nelse:\n    forked = True\n${inFunction("return 99 if forked else max(low, min(value, high))")}`;
  expect((await score(host.session, task, code)).metrics).toEqual({ correct: true });
});

it("limits the memory of a candidate", { timeout: 60_000 }, async () => {
  const { metrics, meta } = await score(host.session, task, inFunction("return len(bytearray(600 << 20))"), {
    memory_mb: 256,
  });
  expect(metrics).toEqual({ correct: false });
  expect(meta?.["reason"]).toContain("MemoryError");
});

it("passes a right candidate whatever it prints", { timeout: 60_000 }, async () => {
  const code = `import sys\nfor _ in range(100):\n    sys.stdout.write("x" * (1 << 20))\n${CLAMP}`;
  expect((await score(host.session, task, code)).metrics).toEqual({ correct: true });
});
