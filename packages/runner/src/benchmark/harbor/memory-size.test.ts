import { expect, it } from "vitest";
import { memoryMb } from "./memory-size.ts";

it.each([
  [2048, 2048],
  ["2G", 2048],
  ["1.5 GiB", 1536],
  ["512Mi", 512],
  ["512", 512],
  ["4GB", 4096],
  ["1T", 1_048_576],
  ["100K", 1],
])("%s is %s MiB", (size, megabytes) => {
  expect(memoryMb(size)).toBe(megabytes);
});

it.each(["", "lots", "-1G", "2X", "G"])("%j is no size", (size) => {
  expect(memoryMb(size)).toBeUndefined();
});
