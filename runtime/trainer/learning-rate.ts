// The learning rate schedule: a warm-up over updates, then cosine decay over the training time.

/** A factor from 1 at the start to `floor` at the end. `passed` is the share of the training time, from 0 to 1. */
export const cosineDecay = (passed: number, floor: number): number =>
  floor + ((1 - floor) * (1 + Math.cos(Math.PI * Math.min(1, Math.max(0, passed))))) / 2;

/** A factor that rises to 1 over `warmup` updates. `before` counts the earlier updates. */
export const warmUp = (before: number, warmup: number): number =>
  warmup === 0 ? 1 : Math.min(1, (before + 1) / warmup);
