// The alternation of reinforcement learning and imitation (ComputerRL's Entropulse). The phase follows from the number of optimiser steps
// alone, so a resumed training continues in it. Pure.

export interface PulseOptions {
  /** Optimiser steps on lessons alone, at the start of each cycle. */
  readonly imitation: number;
  /** Optimiser steps on groups until the next cycle; 0 turns the alternation off: updates mix both. */
  readonly policy: number;
}

/** Whether lessons train only in phases of their own. */
export const isPulsed = ({ policy }: PulseOptions): boolean => policy > 0;

export const isImitationPhase = (steps: number, { imitation, policy }: PulseOptions): boolean =>
  policy > 0 && steps % (imitation + policy) < imitation;
