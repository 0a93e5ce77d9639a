// How long to wait before trying again to connect: soon at first, then ever more patiently. Pure.

const FIRST = 500;
const LONGEST = 15_000;

/** Milliseconds, after so many attempts in a row that failed. */
export const waitAfter = (failures: number): number =>
  Math.min(LONGEST, FIRST * 2 ** Math.max(0, failures - 1));
