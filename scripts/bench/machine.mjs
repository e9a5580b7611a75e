import { readFileSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";

/** Kinds of file systems by the number that the kernel gives them; on `tmpfs` fsync costs nothing. */
const FILE_SYSTEMS = { 61267: "ext", 16914836: "tmpfs", 2035054128: "overlay", 1481003842: "xfs", 2435016766: "btrfs" };

/** What a reader needs to know of the machine before comparing figures. */
export async function machine(directory) {
  const { type } = await statfs(directory);
  return {
    platform: `${process.platform}-${process.arch}`,
    cpu: cpus()[0]?.model ?? "unknown",
    cpus: availableParallelism(),
    memoryGibibytes: Math.round(totalmem() / 1024 ** 3),
    node: process.version,
    fileSystem: FILE_SYSTEMS[type] ?? `0x${type.toString(16)}`,
    loadAverage: loadavg()[0],
  };
}

/** Version of the package in the given folder of node_modules or of the workspace. */
export function packageVersion(url) {
  return JSON.parse(readFileSync(url, "utf8")).version;
}
