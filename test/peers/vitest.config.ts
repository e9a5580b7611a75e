import { defineConfig } from "vitest/config";

/** Needs the peers that scripts/test-peers.mjs installs; never part of `npm test`. */
export default defineConfig({
  test: {
    name: "peers",
    include: ["test/peers/**/*.test.ts"],
    setupFiles: ["test/setup/fail-on-console.ts"],
    globalSetup: ["test/setup/build-cli.ts"],
    testTimeout: 60_000,
    hookTimeout: 300_000,
  },
});
