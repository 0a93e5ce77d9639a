// The state of the panel Record: which buttons, which labels, which tasks.

import { expect, test } from 'vitest';
import { RECORDING_PHASES, type RecordingState } from '../../../runtime/protocol/daemon/record.ts';
import {
  aboutOf,
  canDrop,
  chosenBy,
  commandsOf,
  explainedStep,
  isInUse,
  isOf,
  labelOf,
  matching,
  PILOT_BUTTONS,
  pilotKey,
  pilotStatusOf,
  statusOf,
} from '../../../webview/record/state.ts';

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
  ...{ instruction: 'Do it.', isOwn: false, maxSteps: 15, isDeterministic: true, hasSolution: true },
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

const PILOT = { agent: 'tars', mode: 'approve', isDeciding: false } as const;
const PROPOSAL = { action: { kind: 'wait' }, says: 'wait' } as const;
const LIVE: RecordingState = {
  ...STATE,
  hasSolution: false,
  pilot: PILOT,
  steps: [
    { action: { kind: 'wait' }, says: 'wait', by: 'agent' },
    { action: { kind: 'wait' }, says: 'wait' },
    { action: { kind: 'finished', answer: '' }, says: 'report the task as done', by: 'agent' },
  ],
};

test('a solution is offered only where one can be shown', () => {
  expect(commandsOf(STATE)).toContain('solution');
  expect(commandsOf(LIVE)).not.toContain('solution');
});

test('a desktop that was taken over is given back, and leads back to the others', () => {
  const taken: RecordingState = { ...STATE, desktop: 'd3', hasSolution: false };
  expect(labelOf('discard', taken).text).toBe('Give back');
  expect(labelOf('discard', STATE).text).toBe('Discard');
  expect(commandsOf({ ...taken, phase: 'saved' })).toEqual(['choose']);
  expect(labelOf('choose', taken)).not.toEqual(labelOf('choose', STATE));
  expect(statusOf(taken)).toContain('Desktop 4');
});

test('steps of the agent are never dropped', () => {
  const judged: RecordingState = { ...LIVE, phase: 'judged' };
  expect(judged.steps.map((_, index) => canDrop(judged, index))).toEqual([false, true, false]);
});

test('a success that nobody corrected is kept as one of the agent', () => {
  const uncorrected = { ...LIVE, steps: LIVE.steps.filter(({ by }) => by === 'agent') };
  expect(labelOf('save', uncorrected)).not.toEqual(labelOf('save', LIVE));
});

test('the decision of the selected step is shown, else of the proposal, else of the latest step of the agent', () => {
  expect(explainedStep(LIVE, undefined)).toBe(2);
  expect(explainedStep(LIVE, 0)).toBe(0);
  expect(explainedStep(LIVE, 1)).toBe(2);
  const proposing: RecordingState = { ...LIVE, pilot: { ...PILOT, proposal: PROPOSAL } };
  expect(explainedStep(proposing, undefined)).toBe(3);
  expect(explainedStep(proposing, 0)).toBe(0);
  expect(explainedStep({ ...LIVE, steps: [] }, undefined)).toBeUndefined();
  expect(explainedStep(STATE, 0)).toBeUndefined();
});

test('keys steer the agent while it can act, and answer only a proposal', () => {
  const proposing: RecordingState = { ...LIVE, pilot: { ...PILOT, proposal: PROPOSAL } };
  expect(pilotKey('y', proposing)).toEqual({ approved: true });
  expect(pilotKey('n', proposing)).toEqual({ approved: false });
  expect(pilotKey('y', LIVE)).toBeUndefined();
  expect(['r', 'a', 's', 'p'].map(key => pilotKey(key, LIVE))).toEqual(
    PILOT_BUTTONS.map(({ mode }) => ({ mode })),
  );
  for (const state of [STATE, { ...LIVE, phase: 'judged' } as const])
    expect(pilotKey('r', state)).toBeUndefined();
});

test('every state of the agent is a sentence', () => {
  const states = [
    PILOT,
    { ...PILOT, isDeciding: true },
    { ...PILOT, proposal: PROPOSAL },
    { ...PILOT, mode: 'run', proposal: PROPOSAL } as const,
    { ...PILOT, mode: 'pause' } as const,
    { ...PILOT, report: 'The agent reports the task as done.' },
  ];
  const says = states.map(pilot => pilotStatusOf({ ...LIVE, pilot }));
  expect(new Set(says).size).toBe(states.length);
  expect(says).not.toContain('');
  expect(pilotStatusOf({ ...LIVE, phase: 'judged' })).toBe('');
});

test('an address asks for a task or for an agent, and a recording in progress may be that one', () => {
  expect(chosenBy({ panel: 'record' })).toBeUndefined();
  expect(chosenBy({ panel: 'record', task: 't' })).toEqual({ task: 't' });
  const asked = chosenBy({ panel: 'record', agent: 'tars', instruction: 'Do it.' });
  expect(asked).toEqual({ agent: 'tars', instruction: 'Do it.' });
  expect(isOf(LIVE, asked ?? {})).toBe(true);
  expect(isOf(STATE, asked ?? {})).toBe(false);
  expect(isOf(LIVE, { agent: 'tars', task: 'other' })).toBe(false);
  expect(isOf(STATE, { task: 't' })).toBe(true);
});
