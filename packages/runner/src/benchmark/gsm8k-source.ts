import type { PublishedFile } from "./published-file.ts";

/** The test split as its authors publish it (MIT licence). */
export const GSM8K_TEST: PublishedFile = {
  address: "https://raw.githubusercontent.com/openai/grade-school-math/master/grade_school_math/data/test.jsonl",
  sha256: "3730d312f6e3440559ace48831e51066acaca737f6eabec99bccb9e4b3c39d14",
  bytes: 749_738,
};
