import type { PublishedFile } from "../published-file.ts";

/** The problems as their authors publish them (MIT licence). */
export const HUMANEVAL: PublishedFile & { readonly contentSha256: string } = {
  address: "https://raw.githubusercontent.com/openai/human-eval/master/data/HumanEval.jsonl.gz",
  sha256: "b796127e635a67f93fb35c04f4cb03cf06f38c8072ee7cee8833d7bee06979ef",
  bytes: 44_877,
  /** Of the unpacked text. */
  contentSha256: "1d49078ba3e2b196b9344535bef34a43021f038fad9561d6ee7c53450609a6a2",
};
