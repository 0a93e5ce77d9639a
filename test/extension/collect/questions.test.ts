import { expect, test } from 'vitest';
import { endOf, progressOf, questions, requestOf, shareOf } from '../../../extension/collect/questions.ts';
import { NOTHING, withList } from '../../../extension/runs/known.ts';
import type { CollectionState } from '../../../runtime/protocol/daemon/collection.ts';
import { request } from '../../../runtime/protocol/daemon/messages.ts';
import { playedState } from '../../server/played-state.ts';
import { ScriptedRuns } from '../../server/scripted-runs.ts';
import { t } from '../translate.ts';

const trained = withList(NOTHING, await new ScriptedRuns(playedState(600)).list());
const { run } = playedState(600);

test('at most two questions are asked: who plays only where there is a choice', () => {
  expect(questions({}, NOTHING, t).map(({ title }) => title)).toEqual(['Successes of which tasks?']);
  expect(questions({}, trained, t).map(({ title }) => title)).toEqual([
    'Successes of which tasks?',
    'Who plays?',
  ]);
  // On a run that was chosen in the tree, its weights play.
  expect(questions({}, trained, t, run)).toHaveLength(1);
});

test('what dartboard.json trains comes first where it says so', () => {
  const first = (said: object) => questions({ ...said }, NOTHING, t)[0]?.choices[0]?.label;
  expect(first({})).toBe('All four tiers');
  expect(first({ suite: { tasks: ['mail-star'] } })).toBe('Those of dartboard.json');
});

test('every pair of answers is a request that the daemon takes', () => {
  const [tasks, players] = questions({ suite: { tiers: [2] } }, trained, t);
  const pairs = (tasks?.choices ?? []).flatMap(one =>
    (players?.choices ?? []).map(other => ({ ...one.answer, ...other.answer })),
  );
  expect(pairs).toHaveLength(12);
  for (const answers of pairs) {
    const params = requestOf({ suite: { tiers: [2] } }, answers, 'ada');
    expect(request.safeParse({ id: 1, method: 'collect.start', params }).success).toBe(true);
  }
});

test('what scripts show is accepted at once; what weights did is looked at first', () => {
  expect(requestOf({}, {}, 'ada')).toMatchObject({ by: { kind: 'script' }, accepts: true, who: 'ada' });
  const weights = questions({}, trained, t)[1]?.choices[1]?.answer ?? {};
  expect(requestOf({}, weights, 'ada')).toMatchObject({ by: { kind: 'weights', from: run }, accepts: false });
});

const row = { task: 'mail-star', tried: 12, succeeded: 3, kept: 3, broken: 4 };
const STATE: CollectionState = {
  ...{ collection: 'c', change: 4, status: 'ended', told: 'Scripted solutions', accepts: false },
  ...{ instances: 4, tasks: 1, tries: 64, rows: [row], members: { 'mail-star': 3 } },
};

test('progress counts what broke as done', () => {
  expect(shareOf(STATE)).toBe(25);
  expect(progressOf(STATE, t)).toBe('16 of 64 tried, 3 succeeded');
  expect(progressOf({ ...STATE, trouble: 'local: the disk is full' }, t)).toBe(
    '16 of 64 tried, 3 succeeded; local: the disk is full',
  );
  expect(shareOf({ ...STATE, tries: 0, rows: [] })).toBe(100);
});

test('the end says what it came to, and what is to be done', () => {
  expect(endOf(STATE, t)).toBe('3 of 12 tries succeeded, and wait for you to accept them.');
  expect(endOf({ ...STATE, accepts: true, status: 'stopped' }, t)).toBe(
    'Stopped early. 3 of 12 tries succeeded, and are in the success pool.',
  );
  const none = { ...STATE, rows: [{ ...row, succeeded: 0, kept: 0 }] };
  expect(endOf(none, t)).toBe('None of 12 tries succeeded, so nothing is kept.');
  expect(() => endOf({ ...STATE, status: 'failed', message: 'No disk.' }, t)).toThrow('broke off: No disk.');
});
