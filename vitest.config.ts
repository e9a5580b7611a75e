import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const setupFiles = ["test/setup/fail-on-console.ts"];

/** These read the memory of their own process, so no other file may have used it before. */
const memory = ["packages/runner/src/environment/host-process.test.ts", "test/hostile/*.test.ts"];

/** By itself Vitest takes one worker on two cores. All projects share the workers, so none idles while a project ends. */
const maxWorkers = Math.max(2, availableParallelism() - 1);

/**
 * `unit` is pure or one adapter; `scenario` drives several rooms in process; `cli` drives the built command; `alone` measures
 * its process. Files of `unit` and `scenario` share a process and its loaded modules, one file after another: a test there
 * puts back what it changes of the process. Vitest runs projects by their names, so the long files of `cli` come early.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "alone",
          include: memory,
          setupFiles,
          testTimeout: 30_000,
          maxWorkers,
        },
      },
      {
        test: {
          name: "unit",
          include: ["packages/*/src/**/*.test.ts"],
          exclude: ["**/node_modules/**", ...memory],
          setupFiles,
          testTimeout: 20_000,
          isolate: false,
          maxWorkers,
        },
      },
      {
        test: {
          name: "scenario",
          include: ["test/{engine,conformance,limit,sdk,docs,options}/**/*.test.ts"],
          setupFiles,
          testTimeout: 30_000,
          isolate: false,
          maxWorkers,
        },
      },
      {
        test: {
          name: "cli",
          include: ["test/{cli,experiments}/**/*.test.ts", "test/hostile/command/*.test.ts", "examples/**/*.test.ts"],
          globalSetup: ["test/setup/build-cli.ts"],
          testTimeout: 60_000,
          maxWorkers,
        },
      },
    ],
  },
});
