// The random streams of the trainer, one per use: the number of imitated rows then does not change the order of batches.

import { type Random, type RandomState, resumed } from '../core/rng.ts';

/** The order of the rows of a batch; the draw of lessons; the replacement of names. */
export const RANDOM_STREAMS = ['batches', 'replay', 'renaming'] as const;

export type RandomStreams<T> = Readonly<Record<(typeof RANDOM_STREAMS)[number], T>>;

export const forkStreams = (random: Random): RandomStreams<Random> => of(name => random.fork(name));

export const saveStreams = (chances: RandomStreams<Random>): RandomStreams<RandomState> =>
  of(name => chances[name].save());

export const resumeStreams = (saved: RandomStreams<RandomState>): RandomStreams<Random> =>
  of(name => resumed(saved[name]));

const of = <T>(each: (name: (typeof RANDOM_STREAMS)[number]) => T): RandomStreams<T> => ({
  batches: each('batches'),
  replay: each('replay'),
  renaming: each('renaming'),
});
