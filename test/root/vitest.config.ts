import { defineConfig } from "vitest/config";

/** Suites that need root: another uid, a small filesystem. */
export default defineConfig({
  test: {
    include: ["test/root/**/*.test.ts"],
    globalSetup: ["test/setup/build-cli.ts"],
    testTimeout: 60_000,
  },
});
