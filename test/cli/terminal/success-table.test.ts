// The table of success per task at several widths.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderLine, widthOf } from '../../../runtime/cli/terminal/line.ts';
import { successTable } from '../../../runtime/cli/terminal/success-table.ts';

const score = (task: string, successes: number, trials = 20) => ({ task, successes, trials });
const SCORES = [score('mail-star', 20), score('files-new-folder', 0), score('calendar-infeasible', 13)];

const textOf = (width: number): readonly string[] =>
  successTable(SCORES, width).map(line => renderLine(line, false).trimEnd());

test('the worst task comes first, with a bar and its interval', () => {
  expect(textOf(79)).toEqual([
    'task                             solved         95 %',
    'files-new-folder     ░░░░░░░░░░    0/20    0 %  0–16 %',
    'calendar-infeasible  ███████░░░   13/20   65 %  43–82 %',
    'mail-star            ██████████   20/20  100 %  84–100 %',
  ]);
});

test('a task without a judged episode comes last, with an empty bar', () => {
  const rows = successTable([score('broken', 0, 0), ...SCORES], 79);
  expect(rows.map(line => renderLine(line, false)).at(-1)).toBe(
    'broken               ░░░░░░░░░░     0/0      –  0–100 %',
  );
});

test('a narrow table drops bars, then intervals, and keeps the numbers', () => {
  expect(textOf(50)[1]).toBe('files-new-folder       0/20    0 %  0–16 %');
  const [head, worst] = textOf(36);
  expect(head).toBe('task                 solved');
  expect(worst).toBe('files-new-folder       0/20    0 %');
});

test('the table never exceeds the width once its numbers fit', () => {
  fc.assert(
    fc.property(fc.integer({ min: 34, max: 200 }), width => {
      for (const line of successTable(SCORES, width)) expect(widthOf(line)).toBeLessThanOrEqual(width);
    }),
  );
});
