import { isPlainObject } from "../record/json.ts";
import { refuse, type Where } from "./validate.ts";
import { wholeFloatText } from "./yaml-scalar.ts";

const SECTION = "(?:defaults|requests\\[\\d+\\])";
const TEXTS = new RegExp(
  "^(?:name|requests\\[\\d+\\]\\.name|runtime\\.(?:results_dir|data_dir|log_file)" +
    `|${SECTION}\\.(?:output\\.[a-z_]+|model\\.(?:id|base_url|api_key)|runtime\\.reuse_run_id` +
    "|environment\\.(?:[a-z_]+_)?env_variables\\.[^.]+))$",
);
const WHOLE = new RegExp(
  `^(?:task_concurrency|${SECTION}\\.execution\\.attempts\\.k|execution\\.(?:task_concurrency|attempts\\.k))$`,
);

/**
 * Makes of numbers that are written `1.0` what AgentCompass makes of them, now that JavaScript cannot tell them from `1`: where a
 * text is wanted it is "1.0"; where only an integer is allowed it is refused; anywhere else it is the number.
 */
export function settleWholeFloats(value: unknown, wholeFloats: readonly string[], where: Where): unknown {
  for (const path of wholeFloats)
    if (WHOLE.test(path)) throw refuse({ ...where, path }, "must be a whole number, found one with a decimal point");
  const texts = new Set(wholeFloats.filter((path) => TEXTS.test(path)));
  return texts.size === 0 ? value : withTexts(value, texts, "");
}

function withTexts(value: unknown, texts: ReadonlySet<string>, path: string): unknown {
  if (typeof value === "number") return texts.has(path) ? wholeFloatText(value) : value;
  if (Array.isArray(value)) return value.map((item, index) => withTexts(item, texts, `${path}[${index}]`));
  if (!isPlainObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withTexts(item, texts, path === "" ? key : `${path}.${key}`)]),
  );
}
