import type { ProgressEvent } from "@agentcompass/core/event";
import type { LogRecord } from "@agentcompass/core/port";
import type { ResolvedOrchestration } from "@agentcompass/core/spec";
import type { Host } from "../host.ts";
import type { ProgressMode } from "../option/shared.ts";
import { logLine } from "../output/log.ts";
import { type Board, foldBoard } from "./board.ts";
import { renderPanel } from "./panel.ts";
import { type PlainState, plainEventLines, plainTimeLines } from "./plain.ts";
import { createScreen } from "./screen.ts";

/** Shows progress and logs on stderr while requests run. */
export type Reporter = {
  /** Begins to show progress as the resolved orchestration says. */
  readonly onResolved: (resolved: ResolvedOrchestration) => void;
  readonly onProgress: (event: ProgressEvent) => void;
  readonly onLog: (record: LogRecord) => void;
  /** Writes a line of our own. */
  readonly say: (line: string) => void;
  /** Seconds that a request took by its events; null when it told nothing. */
  readonly elapsedSeconds: (requestName: string) => number | null;
  /** Stops drawing and restores the terminal; may be called again. */
  readonly end: () => void;
};

type Show = {
  readonly changed: (event: ProgressEvent) => void;
  readonly print: (line: string) => void;
  readonly end: () => void;
};

/** Logs are shown from the start, progress from `onResolved`: `auto` is a live panel on a terminal and lines elsewhere. */
export function startReporter(host: Host): Reporter {
  const board: Board = new Map();
  let several = false;
  let show = noProgress(host);
  return {
    onResolved(resolved) {
      several = resolved.requests.length > 1;
      show = startShow(host, resolved.runtime.progress, board);
    },
    onProgress(event) {
      foldBoard(board, event);
      show.changed(event);
    },
    onLog: (record) => show.print(logLine(record, host.now(), several)),
    say: (line) => show.print(line),
    elapsedSeconds: (name) => [...board.values()].find((one) => one.name === name)?.view.elapsed_seconds ?? null,
    end: () => show.end(),
  };
}

function startShow(host: Host, mode: ProgressMode, board: Board): Show {
  if (mode === "none") return noProgress(host);
  return mode === "auto" && host.isTty ? livePanel(host, board) : plainLines(host, board);
}

function noProgress(host: Host): Show {
  return { changed: () => {}, print: (line) => host.stderr.write(`${line}\n`), end: () => {} };
}

const secondsOf = (host: Host): number => host.now().getTime() / 1000;

function livePanel(host: Host, board: Board): Show {
  const screen = createScreen(host.stderr);
  const redraw = (): void => {
    if (board.size > 0) screen.draw(renderPanel(board, secondsOf(host), host.terminalSize()));
  };
  const stop = host.every(250, redraw);
  return {
    changed: () => {},
    print: screen.print,
    end() {
      stop();
      screen.close();
    },
  };
}

function plainLines(host: Host, board: Board): Show {
  const state: PlainState = new Map();
  const print = (line: string): void => host.stderr.write(`${line}\n`);
  const stop = host.every(1000, () => plainTimeLines(board, secondsOf(host), state).forEach(print));
  return {
    changed(event) {
      const request = board.get(event.request_index);
      if (request) plainEventLines(request, event, state).forEach(print);
    },
    print,
    end: stop,
  };
}
