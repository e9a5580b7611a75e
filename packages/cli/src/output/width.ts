const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/u;
const NARROWLESS = /[\p{Mark}\p{Cf}]/u;

/** Columns that a text takes on a terminal. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

function characterWidth(character: string): number {
  if (character < "\u007f") return 1;
  if (WIDE.test(character)) return 2;
  return NARROWLESS.test(character) ? 0 : 1;
}

/** Cut to a number of columns, with an ellipsis where something is missing. */
export function truncate(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let kept = "";
  let width = 0;
  for (const character of text) {
    width += characterWidth(character);
    if (width > columns - 1) break;
    kept += character;
  }
  return columns > 1 ? `${kept}…` : kept;
}

/** One line without control characters, so that no name or message can move a terminal's cursor. */
export function oneLine(text: string): string {
  return text
    .replace(/\s*[\r\n]+\s*/g, " ")
    .replace(/\p{Cc}/gu, "?")
    .trim();
}
