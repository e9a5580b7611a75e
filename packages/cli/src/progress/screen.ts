import type { TextSink } from "../host.ts";

const HIDE_CURSOR = "\u001b[?25l";
const SHOW_CURSOR = "\u001b[?25h";
const CLEAR_BELOW = "\u001b[0J";

/** A terminal whose last lines are redrawn in place, with ordinary lines scrolling above them. */
export type Screen = {
  readonly draw: (lines: readonly string[]) => void;
  /** Writes a line above the panel. */
  readonly print: (line: string) => void;
  /** Removes the panel and gives the cursor back; later lines are written as usual. */
  readonly close: () => void;
};

export function createScreen(sink: TextSink): Screen {
  let drawn: readonly string[] = [];
  let hidden = false;

  const erase = (): string => (drawn.length === 0 ? "" : `\r\u001b[${drawn.length}A${CLEAR_BELOW}`);
  const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

  return {
    draw(lines) {
      const cursor = hidden ? "" : HIDE_CURSOR;
      hidden = true;
      sink.write(`${cursor}${erase()}${textOf(lines)}`);
      drawn = lines;
    },
    print(line) {
      sink.write(`${erase()}${line}\n${textOf(drawn)}`);
    },
    close() {
      if (!hidden) return;
      sink.write(`${erase()}${SHOW_CURSOR}`);
      drawn = [];
      hidden = false;
    },
  };
}
