// The trainer's chance, a stream for each use: how much was imitated meanwhile then changes nothing about what comes of batches.

import { type Random, type RandomState, resumed } from '../core/rng.ts';

/** The order of a batch's rows; what is drawn to be imitated; what names are replaced by. */
export const CHANCES = ['batches', 'replay', 'renaming'] as const;

export type Chances<T> = Readonly<Record<(typeof CHANCES)[number], T>>;

export const chancesFrom = (random: Random): Chances<Random> => of(name => random.fork(name));

export const savedChances = (chances: Chances<Random>): Chances<RandomState> =>
  of(name => chances[name].save());

export const resumedChances = (saved: Chances<RandomState>): Chances<Random> =>
  of(name => resumed(saved[name]));

const of = <T>(each: (name: (typeof CHANCES)[number]) => T): Chances<T> => ({
  batches: each('batches'),
  replay: each('replay'),
  renaming: each('renaming'),
});
