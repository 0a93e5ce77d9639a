// The state of the panel Record: which buttons, which labels, which tasks.

import { expect, test } from 'vitest';
import { RECORDING_PHASES, type RecordingState } from '../../../runtime/protocol/daemon/record.ts';
import { aboutOf, canDrop, commandsOf, isInUse, matching, statusOf } from '../../../webview/record/state.ts';

const STATE: RecordingState = {
  ...{
    recording: 'r',
    change: 1,
    phase: 'acting',
    kind: 'pocket',
    task: 't',
    seed: 7,
    split: 'train',
    tier: 2,
  },
  ...{ instruction: 'Do it.', isOwn: false, maxSteps: 15, isDeterministic: true },
  steps: [
    { action: { kind: 'wait' }, says: 'wait' },
    { action: { kind: 'finished', answer: '' }, says: 'report the task as done' },
  ],
};
const JUDGED: RecordingState = {
  ...STATE,
  phase: 'judged',
  judgement: { ending: 'finished', success: true, score: 1, checks: [] },
};

test('only a success on a training instance can be saved', () => {
  expect(commandsOf(JUDGED)).toContain('save');
  expect(commandsOf({ ...JUDGED, split: 'test' })).not.toContain('save');
  expect(
    commandsOf({ ...JUDGED, judgement: { ending: 'finished', success: false, checks: [] } }),
  ).not.toContain('save');
});

test('every desktop in use can be given back, except while its steps are replayed', () => {
  for (const phase of RECORDING_PHASES) {
    const state = { ...STATE, phase };
    if (isInUse(state) && phase !== 'checking') expect(commandsOf(state)).toContain('discard');
    expect(statusOf(state)).not.toBe('');
  }
});

test('a person judges an instruction of their own', () => {
  expect(commandsOf({ ...STATE, isOwn: true })).toContain('done');
  expect(commandsOf({ ...STATE, isOwn: true })).not.toContain('finish');
});

test('the step that ends the task cannot be dropped', () => {
  expect([0, 1].map(index => canDrop(JUDGED, index))).toEqual([true, false]);
  expect(canDrop(STATE, 0)).toBe(false);
});

test('labels name the judgement, the progress of a solution, and an instance for tests', () => {
  expect(statusOf(JUDGED)).toBe('Solved');
  expect(statusOf({ ...STATE, phase: 'showing', shown: { at: 1, of: 3 } })).toBe(
    'Showing a solution: step 1 of 3',
  );
  expect(aboutOf(STATE)).toBe('Tier 2 · seed 7 · 2 steps; an agent has 15');
  expect(aboutOf({ ...STATE, split: 'test' })).toContain('cannot be saved');
});

test('a search finds tasks for training by name, application, instruction and tier', () => {
  const task = (name: string, splits: ('train' | 'unseen')[]) => ({
    ...{ task: name, tier: 2, splits, apps: ['mail'], example: 'Star the mail.' },
  });
  const tasks = [task('mail-star', ['train']), task('mail-odd', ['unseen'])];
  for (const query of ['', 'STAR', 'mail star', 'tier 2'])
    expect(matching(tasks, query).map(each => each.task)).toEqual(['mail-star']);
  expect(matching(tasks, 'calendar')).toEqual([]);
});
