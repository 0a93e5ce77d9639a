// What collecting successes asks, what is sent to the daemon for the answers, and what is said of how it goes. Pure.

import { COLLECT_DEFAULTS, type CollectionState } from '../../runtime/protocol/daemon/collection.ts';
import type { DaemonParams } from '../../runtime/protocol/daemon/messages.ts';
import { tierTitle } from '../../runtime/protocol/tiers.ts';
import { allRuns, type Known, type Run } from '../runs/known.ts';
import { type Said, saysTasks } from '../start/answers.ts';
import { percent, type Translate } from '../words.ts';

type Asked = DaemonParams<'collect.start'>;
export type Answers = Pick<Asked, 'wanted'> & Partial<Pick<Asked, 'by'>>;

export interface Choice {
  readonly label: string;
  readonly detail: string;
  readonly answer: Answers;
}

export interface Question {
  readonly title: string;
  readonly choices: readonly Choice[];
}

/** Older ones are named to `dartboard collect --from`. */
const MOST_RUNS = 10;
const TIERS = [1, 2, 3, 4] as const;

/** At most two: who plays is only asked where something was trained, and where it is not `chosen` already. */
export function questions(said: Said, known: Known, t: Translate, chosen?: string): readonly Question[] {
  const trained = allRuns(known).filter(({ last }) => last !== undefined);
  const tasks = [
    ...(saysTasks(said) ? [ofFile(t)] : []),
    {
      label: t('All four tiers'),
      detail: t('Those that fail most come first.'),
      answer: { wanted: { tiers: [...TIERS] } },
    },
    ...TIERS.map(tier => ({ label: tierTitle(tier), detail: '', answer: { wanted: { tiers: [tier] } } })),
  ];
  const players = [scripted(t), ...trained.slice(0, MOST_RUNS).map(run => weightsOf(run, t))];
  return [
    { title: t('Successes of which tasks?'), choices: tasks },
    ...(trained.length === 0 || chosen !== undefined ? [] : [{ title: t('Who plays?'), choices: players }]),
  ];
}

const ofFile = (t: Translate): Choice => ({
  label: t('Those of dartboard.json'),
  detail: t('What a training here would train.'),
  answer: {},
});

const scripted = (t: Translate): Choice => ({
  label: t('Scripted solutions'),
  detail: t('Right at once, and accepted into the success pool.'),
  answer: { by: { kind: 'script' } },
});

const weightsOf = ({ run, last }: Run, t: Translate): Choice => ({
  label: t('The weights of {0}', run),
  detail: t(
    'They solve {0} of test tasks, and try boldly. You accept what succeeds one by one.',
    percent(last?.rate ?? 0),
  ),
  answer: { by: byWeights(run) },
});

export const byWeights = (run: string): Asked['by'] => ({
  ...{ kind: 'weights', from: run },
  ...{ rollouts: COLLECT_DEFAULTS.rollouts, temperature: COLLECT_DEFAULTS.temperature },
});

/** What scripts show is right, so nobody has to look at it first. */
export function requestOf(said: Said, { wanted, by = { kind: 'script' } }: Answers, who: string): Asked {
  return {
    ...{ config: { ...said }, by, instances: COLLECT_DEFAULTS.instances, who },
    accepts: by.kind === 'script',
    ...(wanted !== undefined && { wanted }),
  };
}

const sum = ({ rows }: CollectionState, name: 'tried' | 'succeeded' | 'kept' | 'broken'): number =>
  rows.reduce((all, row) => all + row[name], 0);

/** From 0 to 100. */
export const shareOf = (state: CollectionState): number =>
  state.tries === 0 ? 100 : (100 * (sum(state, 'tried') + sum(state, 'broken'))) / state.tries;

/** With what keeps the next from coming, as it was told. */
export const progressOf = (state: CollectionState, t: Translate): string =>
  [
    t(
      '{0} of {1} tried, {2} succeeded',
      sum(state, 'tried') + sum(state, 'broken'),
      state.tries,
      sum(state, 'succeeded'),
    ),
    ...(state.trouble === undefined ? [] : [state.trouble]),
  ].join('; ');

/** How it ended, in a sentence or two; throws where it broke off. */
export function endOf(state: CollectionState, t: Translate): string {
  if (state.status === 'failed') throw new Error(t('Collecting broke off: {0}', state.message ?? ''));
  const [kept, tried] = [sum(state, 'kept'), sum(state, 'tried')];
  const early = state.status === 'stopped' ? `${t('Stopped early.')} ` : '';
  if (kept === 0) return early + t('None of {0} tries succeeded, so nothing is kept.', tried);
  return (
    early +
    (state.accepts
      ? t('{0} of {1} tries succeeded, and are in the success pool.', kept, tried)
      : t('{0} of {1} tries succeeded, and wait for you to accept them.', kept, tried))
  );
}
