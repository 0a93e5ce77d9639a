// How fast is learned over the time that there is: warm first, then in big steps, in small ones at the end.

/** A share of the learning rate, from 1 at the start down to `floor` at the end, along half a wave. `passed` is from 0 to 1. */
export const cooled = (passed: number, floor: number): number =>
  floor + ((1 - floor) * (1 + Math.cos(Math.PI * Math.min(1, Math.max(0, passed))))) / 2;

/** A share of the learning rate: it rises to all of it over `warmup` updates. `before` is how many were made. */
export const warmed = (before: number, warmup: number): number =>
  warmup === 0 ? 1 : Math.min(1, (before + 1) / warmup);
