/**
 * JSON text as Python's `json.dumps` writes it by default: `, ` and `: ` between items, other characters than ASCII
 * escaped. Prompts that are messages travel in this form.
 */
export function pythonJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    return `{${entries.map(([key, item]) => `${text(key)}: ${pythonJson(item)}`).join(", ")}}`;
  }
  return typeof value === "string" ? text(value) : JSON.stringify(value ?? null);
}

function text(value: string): string {
  return JSON.stringify(value).replaceAll(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
