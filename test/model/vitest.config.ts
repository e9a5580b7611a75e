import { defineConfig } from "vitest/config";

/** Needs the endpoint that scripts/test-model.mjs starts; never part of `npm test`. */
export default defineConfig({
  test: {
    name: "model",
    include: ["test/model/**/*.test.ts"],
    globalSetup: ["test/setup/build-cli.ts"],
    // One after the other: the model has one thread, and latencies are read.
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 800_000,
  },
});
