// The display of a run, as text: what it says, and that it never outgrows its terminal.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderLine, widthOf } from '../../../runtime/cli/terminal/line.ts';
import { type RunView, runFrame } from '../../../runtime/cli/terminal/run-frame.ts';
import { RUN_STATUS, type RunState } from '../../../runtime/protocol/daemon/state.ts';
import { modelRunState } from '../../server/model-run-state.ts';
import { playedState, STARTED } from '../../server/played-state.ts';

const ADDRESS = 'http://127.0.0.1:43215/#0123456789abcdef0123456789abcdef';
const WAITS = { module: 'trainer', reason: 'a batch of three groups', since: STARTED + 688_000 };

const viewOf = (changes: Partial<RunState> = {}, seconds = 700): RunView => ({
  state: playedState(seconds, { waiting: [WAITS], ...changes }),
  address: ADDRESS,
  now: STARTED + 1000 * seconds,
  isStopping: false,
});

const textOf = (view: RunView, columns = 80, rows = 24): string =>
  runFrame(view, { columns, rows })
    .map(line => renderLine(line, false))
    .join('\n');

test.each([
  [80, 24],
  [60, 15],
  [130, 45],
])('in a terminal of %i × %i', async (columns, rows) => {
  await expect(`${textOf(viewOf(), columns, rows)}\n`).toMatchFileSnapshot(
    `golden/run-${columns}x${rows}.txt`,
  );
});

test('a run with a model agent has rows for its learner, its servers and its cost', async () => {
  const { learner, servers, spent } = modelRunState(700);
  const view = viewOf({ learner, servers, spent });
  await expect(`${textOf(view, 130, 45)}\n`).toMatchFileSnapshot('golden/run-model-130x45.txt');
  // The same rows, in one line each.
  for (const row of ['learner', 'servers', 'cost'])
    expect(textOf(view, 80, 24)).toMatch(new RegExp(`^ *${row} `, 'm'));
});

const number = fc.integer({ min: 0, max: 1e9 });
const share = fc.double({ min: 0, max: 1, noNaN: true });
const message = fc.string({ maxLength: 200 }).map(text => `${text}\n${text}`);
const state: fc.Arbitrary<RunState> = fc
  .record({
    seconds: fc.integer({ min: 0, max: 1200 }),
    status: fc.constantFrom(...RUN_STATUS),
    message: fc.option(message, { nil: undefined }),
    run: fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,60}$/),
    of: fc.double({ min: 1, max: 1e6, noNaN: true }),
    big: number,
    part: share,
    why: message,
    stateAt: fc.constantFrom(playedState, modelRunState),
  })
  .map(({ seconds, status, message: why, run, of, big, part, stateAt, ...rest }) => {
    const played = stateAt(seconds);
    return {
      ...played,
      ...(why !== undefined && { message: why }),
      ...{ status, run, of },
      rollout: { ...played.rollout, utilisation: part, episodes: big, steps: big, stepsPerSecond: big / 7 },
      data: { ...played.data, books: { ...played.data.books, accepted: big, filtered: big } },
      waiting: [{ module: 'trainer', reason: rest.why, since: 0 }],
      problems: [{ thing: 'desktop-1', message: rest.why, at: STARTED }],
    };
  });

test('a frame never exceeds the terminal', () => {
  fc.assert(
    fc.property(
      state,
      fc.integer({ min: 4, max: 300 }),
      fc.integer({ min: 2, max: 100 }),
      (each, columns, rows) => {
        const lines = runFrame({ ...viewOf(), state: each, now: STARTED + 5e6 }, { columns, rows });
        expect(lines.length).toBeLessThan(Math.max(rows, 3));
        for (const line of lines) {
          expect(widthOf(line)).toBeLessThan(columns);
          expect(renderLine(line, false)).not.toMatch(/\p{Cc}/u);
        }
      },
    ),
  );
});

test('the lowest terminal shows the time; an address is whole or absent', () => {
  fc.assert(
    fc.property(fc.integer({ min: 24, max: 120 }), fc.integer({ min: 2, max: 40 }), (columns, rows) => {
      const text = textOf(viewOf(), columns, rows);
      expect(text).toContain('8:20 left');
      expect(text.includes('http') === text.includes(ADDRESS)).toBe(true);
    }),
  );
});

test.each([
  ['starting', undefined, 'starting      starting its processes'],
  ['running', undefined, 'Ctrl-C stops with a checkpoint.'],
  ['paused', undefined, 'paused        no new rollouts until you resume it on the page'],
  [
    'stopping',
    'evaluating the final weights',
    'stopping      evaluating the final weights; Ctrl-C again ends at once',
  ],
  ['ended', undefined, 'ended         weights and checkpoint are stored'],
  ['failed', 'The trainer\ndid not start.', 'failed        The trainer did not start.'],
] as const)('the last line shows the status: %s', (status, why, said) => {
  expect(textOf(viewOf({ status, ...(why !== undefined && { message: why }) }))).toContain(`\n  ${said}`);
});

test('a requested stop is shown before the state changes, and not after the end', () => {
  const stopping = 'stopping      writing a checkpoint; Ctrl-C again ends at once';
  expect(textOf({ ...viewOf(), isStopping: true })).toContain(stopping);
  expect(textOf({ ...viewOf({ status: 'ended' }), isStopping: true })).toContain('ended');
});

test('rollouts that were running at the end count as unfinished', () => {
  expect(textOf(viewOf())).toMatch(/ running \d/);
  for (const status of ['ended', 'failed'] as const) {
    const text = textOf(viewOf({ status }));
    expect(text).toMatch(/ unfinished \d/);
    expect(text).not.toMatch(/ running \d/);
  }
});

test('long waits appear, the longest first', () => {
  const waiting = (...ages: readonly number[]) =>
    textOf(
      viewOf({
        waiting: ages.map(age => ({
          module: `m${age}`,
          reason: 'this',
          since: STARTED + 700_000 - 1000 * age,
        })),
      }),
    );
  expect(waiting(4)).not.toContain('waiting');
  expect(waiting(6, 65, 3)).toContain('waiting       1:05 m65, for this · 0:06 m6, for this\n');
  expect(textOf(viewOf({ status: 'paused' }))).not.toContain('waiting');
});

test('lines never move when a note appears or disappears', () => {
  const [loud, quiet] = [viewOf(), viewOf({ waiting: [], problems: [] })].map(view =>
    textOf(view).split('\n'),
  );
  expect(quiet?.length).toBe(loud?.length);
  expect(quiet?.slice(0, -3)).toEqual(loud?.slice(0, -3));
});

test.each([
  ['guest', 'Solved, on the tasks that train: each has one instance', 'Solved on the tasks that train'],
  ['offline', 'Solved on test trajectories', 'Solved on test trajectories'],
] as const)('a frame of %s desktops counts no trained task as new', (desktops, wide, narrow) => {
  const { about } = playedState(700);
  const view = viewOf({ about: { ...about, desktops } });
  for (const [text, title] of [
    [textOf(view, 130, 45), wide],
    [textOf(view), narrow],
  ]) {
    expect(text).toContain(`${title} `);
    expect(text).not.toMatch(/test instances|never trains/);
  }
});

test('without an evaluation the frame reports that there is none', () => {
  expect(textOf(viewOf({ curve: [] }))).toContain('not evaluated yet');
});

test('a run on other desktops than the built-in one is labelled', () => {
  const { about } = playedState(700);
  expect(textOf(viewOf({ about: { ...about, desktops: 'web' } }))).toContain('Web desktops · tier');
  expect(textOf(viewOf({ about: { ...about, desktops: 'docker' } }))).toContain('Docker desktops · tier');
  expect(textOf(viewOf())).not.toContain('Docker');
});

test('only the test split is drawn', () => {
  const curve = viewOf().state.curve.filter(({ split }) => split === 'test');
  expect(textOf(viewOf({ curve }))).toBe(textOf(viewOf()));
});
