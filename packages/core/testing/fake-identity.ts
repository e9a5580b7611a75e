import type { Ids, Random } from "../src/port/index.ts";

/** Ids that count up: `0…01`, `0…02`; `prefix` keeps two sources apart. */
export function fakeIds(prefix = ""): Ids {
  let next = 0;
  return {
    hex: () => {
      next += 1;
      return prefix + next.toString(16).padStart(32 - prefix.length, "0");
    },
  };
}

/** The same numbers for the same seed: a linear congruential generator, enough for schedules and jitter. */
export function seededRandom(seed: number): Random {
  let state = (seed ^ 0x5deece66) >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
