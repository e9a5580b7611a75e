import { defineConfig } from "vitest/config";

const setupFiles = ["test/setup/fail-on-console.ts"];

/** `unit` is pure or one adapter; `scenario` drives several rooms in process; `cli` drives the built command, one file at a time. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["packages/*/src/**/*.test.ts"],
          setupFiles,
          testTimeout: 20_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: "scenario",
          include: ["test/{engine,conformance,limit,sdk,docs,options}/**/*.test.ts", "test/hostile/*.test.ts"],
          setupFiles,
          testTimeout: 30_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: "cli",
          include: ["test/{cli,experiments}/**/*.test.ts", "test/hostile/command/*.test.ts", "examples/**/*.test.ts"],
          globalSetup: ["test/setup/build-cli.ts"],
          testTimeout: 60_000,
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
