// Rounding as Python and IEEE 754 do it.

/** Rounds a half to the even neighbour; Math.round rounds it up. */
export function roundHalfToEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest !== 0.5) return rest < 0.5 ? floor : floor + 1;
  return floor % 2 === 0 ? floor : floor + 1;
}
