import type { Host } from "../host.ts";
import type { OrchestrationResult, RequestOutcome } from "../sdk-surface.ts";
import { costLines } from "./cost-lines.ts";
import { formatCost, formatCount, formatDuration, formatScore } from "./format.ts";
import { resultFacts } from "./result-facts.ts";
import { renderTable } from "./table.ts";

export type Printable = {
  readonly result: OrchestrationResult;
  /** Seconds that a request took; null when not known. */
  readonly elapsed: (requestName: string) => number | null;
  readonly json: boolean;
  readonly value: object | null;
};

/** The result on stdout, as a table or as JSON; the last lines say what it cost and where the files are. */
export function printResult(host: Pick<Host, "stdout" | "stderr">, printable: Printable): void {
  const { result, json, value } = printable;
  const requests = Object.values(result.requests);
  if (json) {
    if (value !== null) host.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
  } else if (requests.length > 0) host.stdout.write(resultTable(requests, printable.elapsed));
  const places = json ? host.stderr : host.stdout;
  for (const line of costLines(result.usage)) places.write(`${line}\n`);
  for (const request of requests) {
    const directory = request.paths["output_dir"];
    if (directory) places.write(`${requests.length > 1 ? `Results of ${request.name}` : "Results"}: ${directory}\n`);
  }
}

const HEADER = ["Request", "Status", "Metric", "Score", "95 % interval", "N", "Errors", "Tokens", "Cost", "Time"];

/** One line a request; a score in brackets leaves invalidated tasks out and is not official. */
export function resultTable(requests: readonly RequestOutcome[], elapsed: Printable["elapsed"]): string {
  return renderTable({
    header: HEADER,
    rows: requests.map((one) => row(one, elapsed(one.name))),
    right: [3, 4, 5, 6, 7, 8, 9],
  });
}

function row(request: RequestOutcome, seconds: number | null): string[] {
  const facts = resultFacts(request.result ?? {});
  const { interval } = facts;
  return [
    request.name,
    request.status,
    facts.metric ?? "-",
    facts.score === null && facts.reference !== null ? `(${formatScore(facts.reference)})` : formatScore(facts.score),
    interval === null ? "-" : `${formatScore(interval[0])} to ${formatScore(interval[1])}`,
    facts.evaluated === null ? "-" : `${facts.evaluated}/${facts.total}`,
    facts.errors === null ? "-" : String(facts.errors),
    !facts.tokens ? "-" : formatCount(facts.tokens),
    facts.costUsd === null || facts.calls === 0 ? "-" : formatCost(facts.costUsd),
    seconds === null ? "-" : formatDuration(seconds),
  ];
}
