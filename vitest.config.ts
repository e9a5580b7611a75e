import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["packages/*/src/**/*.test.ts"],
          setupFiles: ["test/setup/fail-on-console.ts"],
        },
      },
      {
        test: {
          name: "scenario",
          include: ["test/{engine,conformance,limit,sdk,docs}/**/*.test.ts"],
          setupFiles: ["test/setup/fail-on-console.ts"],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: "cli",
          include: ["test/cli/**/*.test.ts"],
          globalSetup: ["test/setup/build-cli.ts"],
          testTimeout: 60_000,
          maxWorkers: 2,
        },
      },
    ],
  },
});
