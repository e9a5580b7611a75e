import { appendFileSync, existsSync } from "node:fs";
import { holdPermit } from "@agentcompass/core/limit";
import { createLocalPorts } from "@agentcompass/local";

/**
 * A process that runs some pieces of work under one permit each: STATE LOG LIMIT COUNT WORK_MS. It begins when a file
 * `<LOG>.go` exists. Each start
 * and end is one line in the log, which is opened for appending, so lines of several processes never mix.
 */
const [statePath = "", log = "", capacity = "1", count = "1", workMs = "1"] = process.argv.slice(2);
const { clock, permits, holder, ids, close } = await createLocalPorts({ statePath });
const limits = [{ name: "provider:host_process", capacity: Number(capacity), intervalMs: 0 }];

const work = async (): Promise<void> => {
  const held = await holdPermit(permits, { ticket: ids.hex(), holder, limits }, { clock });
  note("start");
  await clock.sleep(Number(workMs));
  note("end");
  await held.release();
};

const note = (event: string): void => appendFileSync(log, `${event} ${process.pid} ${Date.now()}\n`);

note("ready");
while (!existsSync(`${log}.go`)) await clock.sleep(5);
note("go");
await Promise.all(Array.from({ length: Number(count) }, work));
note("done");
await close();
