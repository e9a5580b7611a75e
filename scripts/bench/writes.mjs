/** Part `writes`: what a task costs the disk. */
import { execFile } from "node:child_process";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { runOurs } from "./command.mjs";
import { row } from "./row.mjs";
import { withStub } from "./stub.mjs";

const TASKS = 100;
const CONCURRENCY = 32;
const SYNCS = "fsync,fdatasync";

export async function benchWrites({ directory }) {
  return withStub(0, async (stub) => {
    const trace = join(directory, "trace.txt");
    const wrapper = (await canTrace()) ? ["strace", "-f", "-c", "-e", `trace=${SYNCS}`, "-o", trace] : undefined;
    const resultsDir = join(directory, "writes");
    const ask = { directory, resultsDir, count: TASKS, concurrency: CONCURRENCY, stub, wrapper };
    const { runDirectory } = await runOurs(ask);
    const { bytes, files } = await sizeOf(runDirectory);
    const syncs = wrapper ? [countSyncs(await readFile(trace, "utf8")) / TASKS] : [];
    const note = wrapper ? undefined : "strace is not installed";
    return [
      row({ id: "writes.syncs", title: "syncs to disk for each task", unit: "", samples: syncs, note }),
      row({ id: "writes.bytes", title: "kept for each task", unit: "KiB", samples: [bytes / 1024 / TASKS] }),
      row({ id: "writes.files", title: "files for each task", unit: "", samples: [files / TASKS] }),
    ];
  });
}

/** Some machines have the program and do not let it trace. */
function canTrace() {
  return new Promise((resolve) => execFile("strace", ["-c", "-o", "/dev/null", "true"], (error) => resolve(!error)));
}

/** Sum of the calls in strace's table: share, seconds, microseconds, calls, errors where there are any, name. */
export function countSyncs(table) {
  const names = SYNCS.split(",");
  const rows = table.split("\n").map((line) => line.trim().split(/\s+/));
  return rows.filter((cells) => names.includes(cells.at(-1))).reduce((sum, cells) => sum + Number(cells[3]), 0);
}

async function sizeOf(directory) {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(file.parentPath, file.name))).size));
  return { files: files.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}
