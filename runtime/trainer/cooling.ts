// How fast is learned over the time that there is: in big steps first, in small ones at the end.

/** A share of the learning rate, from 1 at the start down to `floor` at the end, along half a wave. `passed` is from 0 to 1. */
export const cooled = (passed: number, floor: number): number =>
  floor + ((1 - floor) * (1 + Math.cos(Math.PI * Math.min(1, Math.max(0, passed))))) / 2;
