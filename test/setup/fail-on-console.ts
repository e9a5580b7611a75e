import { beforeEach } from "vitest";

beforeEach(() => {
  for (const method of ["log", "info", "warn", "error", "debug"] as const) {
    console[method] = (...values: unknown[]) => {
      throw new Error(`console.${method} in a test: ${values.map(String).join(" ")}`);
    };
  }
});
