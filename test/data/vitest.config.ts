import { defineConfig } from "vitest/config";

/** Needs published data sets, whose place scripts/test-data.mjs passes on; never part of `npm test`. */
export default defineConfig({
  test: {
    name: "data",
    include: ["test/data/**/*.test.ts"],
    globalSetup: ["test/setup/build-cli.ts"],
    fileParallelism: false,
    testTimeout: 300_000,
  },
});
