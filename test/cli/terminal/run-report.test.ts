// The lines of a run without a display, and its summary at the end.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderLine, widthOf } from '../../../runtime/cli/terminal/line.ts';
import {
  newLines,
  type ReportedState,
  type RunOutput,
  runSummary,
} from '../../../runtime/cli/terminal/run-report.ts';
import type { RunState } from '../../../runtime/protocol/daemon/state.ts';
import { expectNamed } from '../../named-values.ts';
import { modelRunState } from '../../server/model-run-state.ts';
import { playedState, STARTED } from '../../server/played-state.ts';

/** The lines of these states, one after another. */
function said(states: readonly RunState[]): readonly (readonly string[])[] {
  let told: ReportedState | undefined;
  return states.map(state => {
    const now = newLines(state, told);
    told = now.told;
    return now.lines;
  });
}

test('every evaluation has a line; otherwise one line every thirty seconds', () => {
  const quiet = Array.from({ length: 200 }, (_, second) => playedState(second));
  const lines = said(quiet).flatMap((each, second) => (each.length > 0 ? [second] : []));
  // Every minute there is a measurement.
  expect(lines).toEqual([0, 30, 60, 90, 120, 150, 180]);
  const [line, ...others] = said([playedState(59), playedState(60)])[1] ?? [];
  expect(others).toEqual([]);
  expectNamed(line, '1:00 of 20:00', 'running', '42 of 332', '13 %', '6–19 %', '412', '7.4/s', '96', '1.6/s');
  expectNamed(line, 'accepted 232', 'filtered 175');
});

test('the first line describes the run', () => {
  const [line] = said([playedState(0)])[0] ?? [];
  expectNamed(
    line,
    '2026-11-20-120000-dartboard',
    'tiers 1–4',
    '83 tasks',
    'screenshot_a11y_tree',
    'scratch',
  );
});

test('a resumed run does not repeat earlier lines', () => {
  // The problems of a run are those of its process.
  expect(said([playedState(700, { problems: [] })])[0]).toHaveLength(2);
});

test('a change of status has a line with its reason', () => {
  const [, paused, failed] = said([
    playedState(1),
    playedState(2, { status: 'paused' }),
    playedState(2, { status: 'failed', message: 'The trainer\nis gone.' }),
  ]);
  expect(paused?.[0]).toContain('0:02 of 20:00  paused');
  expect(failed?.[0]).toContain('failed (The trainer is gone.)');
});

test('every problem has one line', () => {
  const problem = (thing: string, at: number) => ({ thing, message: 'It broke.', at });
  const problems = [problem('desktop-1', STARTED + 1), problem('desktop-2', STARTED + 2)];
  const lines = said([
    playedState(1),
    playedState(2, { problems }),
    playedState(3, { problems: [...problems.slice(1), problem('worker-1', STARTED + 3)] }),
  ]);
  expect(lines.slice(1)).toEqual([
    ['problem: desktop-1: It broke.', 'problem: desktop-2: It broke.'],
    ['problem: worker-1: It broke.'],
  ]);
});

test('a problem has a line when it is first seen, also in the first state or with a count', () => {
  const one = { thing: 'desktop-1', message: 'It broke.', at: STARTED };
  const often = { thing: 'store', message: 'The disk\nis full.', at: STARTED + 2 };
  const lines = said([
    playedState(0, { problems: [one] }),
    playedState(1, { problems: [one] }),
    playedState(2, { problems: [one, { ...often, count: 3 }] }),
    playedState(3, { problems: [one, { ...often, at: STARTED + 3, count: 4 }] }),
  ]);
  expect(lines[0]?.[1]).toBe('problem: desktop-1: It broke.');
  expect(lines.slice(1)).toEqual([[], ['problem: store: The disk is full.'], []]);
});

const LEFT: RunOutput = {
  folder: '.dartboard/runs/2026-11-20-120000-dartboard',
  files: [{ name: 'weights.safetensors', what: 'the policy' }],
  nextCommands: [
    { name: 'npx dartboard resume 2026-11-20-120000-dartboard', what: 'go on where it stopped' },
  ],
};

const textOf = (state: RunState, room = 79): string =>
  runSummary(state, LEFT, room)
    .map(line => renderLine(line, false))
    .join('\n');

test('a summary has the worst tasks first', async () => {
  await expect(`${textOf(playedState(700, { status: 'ended' }))}\n`).toMatchFileSnapshot(
    'golden/run-summary-79.txt',
  );
});

test.each([
  ['guest', /^ {4}trained tasks {3}192 of 332 · 58 % \(49–67 %\) {3}each has one instance$/m],
  ['offline', /^ {4}test instances {2}192 of 332 · 58 % \(49–67 %\)$/m],
] as const)('a summary of %s desktops counts no trained task as new', (desktops, measured) => {
  const { about } = playedState(700);
  const text = textOf(playedState(700, { status: 'ended', about: { ...about, desktops } }));
  expect(text).toMatch(measured);
  expect(text).not.toContain('not in the training data');
});

test('a summary of a run with a model agent has its learner, its servers and its cost', async () => {
  await expect(`${textOf(modelRunState(700, { status: 'ended' }))}\n`).toMatchFileSnapshot(
    'golden/run-summary-model-79.txt',
  );
});

test('lines for a log have the cost of a run with a model agent', () => {
  expect(said([modelRunState(0)])[0]?.at(-1)).toMatch(/ · cost 2\.95$/);
  const { spent } = modelRunState(0);
  if (spent === undefined) throw new Error('The state has no cost.');
  const { money: _, ...tokens } = spent;
  expect(said([modelRunState(0, { spent: tokens })])[0]?.at(-1)).toMatch(/ · cost 13\.1M tokens$/);
});

test('the summary reports how the run ended', () => {
  expect(textOf(playedState(1200, { status: 'ended' }))).toMatch(/Trained.*20:00/);
  expect(textOf(playedState(700, { status: 'ended' }))).toMatch(/Stopped.*11:40 of 20:00.*checkpoint/);
  expect(textOf(playedState(9, { status: 'failed', message: 'No\nroom.' }))).toMatch(
    /Failed.*0:09 of 20:00.*No room/,
  );
});

test('the best of many tasks are only counted', () => {
  const tasks = Array.from({ length: 83 }, (_, index) => ({
    task: `task-${String(index).padStart(2, '0')}`,
    tier: 1,
    rollouts: 1,
    rate: index / 83,
  }));
  const text = textOf(playedState(700, { tasks }));
  expect(text).toContain('task-19');
  expect(text).not.toContain('task-20');
  expect(text).toContain('… and 63 more');
});

test('only names of files and commands may exceed the width', () => {
  const names = [LEFT.folder, ...[...LEFT.files, ...LEFT.nextCommands].map(({ name }) => name)];
  fc.assert(
    fc.property(
      fc.integer({ min: 8, max: 200 }),
      fc.integer({ min: 0, max: 1200 }),
      fc.constantFrom(playedState, modelRunState),
      (width, seconds, stateAt) => {
        for (const line of runSummary(stateAt(seconds), LEFT, width)) {
          const isName = names.some(name => renderLine(line, false).includes(name));
          if (!isName) expect(widthOf(line)).toBeLessThanOrEqual(width);
        }
      },
    ),
  );
  for (const name of names) expect(textOf(playedState(700), 10)).toContain(name);
});
