// The display of a training, as text: what it says, and that it never outgrows its terminal.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Doing, frame, type View } from '../../../../runtime/daemon/learn/terminal/frame.ts';
import { painted, widthOf } from '../../../../runtime/daemon/terminal/line.ts';
import { point, VIEW } from '../views.ts';

const textOf = (view: View, columns: number, rows: number): string =>
  frame(view, { columns, rows })
    .map(line => painted(line, false))
    .join('\n');

test('in a usual terminal', async () => {
  await expect(`${textOf(VIEW, 80, 24)}\n`).toMatchFileSnapshot('../golden/frame-80x24.txt');
});

test('in a narrow one', async () => {
  await expect(`${textOf(VIEW, 44, 20)}\n`).toMatchFileSnapshot('../golden/frame-44x20.txt');
});

const DOINGS: readonly Doing[] = [
  'starting',
  'imitating',
  'exploring',
  'playing',
  'stopping',
  'measuring',
  'done',
  'broken',
];

test('it is never wider or higher than the terminal, whatever goes on', () => {
  const view = fc.record({
    about: fc.array(fc.string({ maxLength: 30 }), { maxLength: 4 }),
    doing: fc.constantFrom(...DOINGS),
    seconds: fc.double({ min: 0, max: 1e5, noNaN: true }),
    of: fc.double({ min: 0.1, max: 1e5, noNaN: true }),
    curve: fc
      .array(fc.tuple(fc.double({ min: 0, max: 1e5, noNaN: true }), fc.integer({ min: 0, max: 92 })), {
        maxLength: 30,
      })
      .map(points => points.sort(([a], [b]) => a - b).map(([seconds, solved]) => point(seconds, solved))),
    counts: fc.constantFrom(undefined, VIEW.counts),
  });
  fc.assert(
    fc.property(
      view,
      fc.integer({ min: 4, max: 300 }),
      fc.integer({ min: 2, max: 100 }),
      (each, columns, rows) => {
        const lines = frame(each, { columns, rows });
        expect(lines.length).toBeLessThan(Math.max(rows, 3));
        for (const line of lines) expect(widthOf(line)).toBeLessThan(columns);
      },
    ),
  );
});

test.each(DOINGS)('what it does is said in a word: %s', doing => {
  const text = textOf({ ...VIEW, doing }, 80, 24);
  expect(text.toLowerCase()).toContain(`\n  ${doing} `);
  expect(text.includes('Ctrl-C stops early')).toBe(
    !['stopping', 'measuring', 'done', 'broken'].includes(doing),
  );
});

test('nothing is measured at first', () => {
  expect(textOf({ ...VIEW, curve: [], counts: undefined }, 80, 24)).toContain('not measured yet');
});

test('without colour there is not one escape', () => {
  expect(textOf(VIEW, 120, 40)).not.toContain('\x1b');
  expect(painted(frame(VIEW, { columns: 80, rows: 24 })[1] ?? [], true)).toContain('\x1b[1m');
});
