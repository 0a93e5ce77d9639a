// Which tasks and which instance a request means; what there is not is refused by the name of the field that asked for it.

import { type Seed, seed } from '../../core/ids.ts';
import type { Random } from '../../core/rng.ts';
import type { PocketSuite } from '../../environments/pocket/tasks/suite.ts';
import type { PlayRequest, TaskEntry } from '../../protocol/play.ts';
import { catalogue, drawnSeed, splitsOf } from './catalogue.ts';
import { Refusal } from './episode.ts';

type Call<Name> = Extract<PlayRequest, { call: Name }>;

export const tasksFor = (suite: PocketSuite, { tier, split }: Call<'tasks'>): TaskEntry[] =>
  catalogue(suite)
    .filter(entry => tier === undefined || entry.tier === tier)
    .filter(entry => split === undefined || entry.splits.includes(split));

export function chosen(
  suite: PocketSuite,
  { task, seed: wanted, split }: Call<'start'>,
  random: Random,
): Seed {
  const [first, ...others] = splitsOf(suite, task);
  if (first === undefined) {
    const message = `task: there is no task ${JSON.stringify(task)}; ask for the tasks.`;
    throw new Refusal('bad_request', message, 'task');
  }
  if (wanted !== undefined) return seed(wanted);
  const from = split ?? first;
  if (from === first || others.includes(from)) return drawnSeed(suite, from, random);
  const there = [first, ...others].join(', ');
  throw new Refusal(
    'bad_request',
    `split: ${task} has no instances for ${from}; it has some for ${there}.`,
    'split',
  );
}
