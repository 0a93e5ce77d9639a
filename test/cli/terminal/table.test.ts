// Success task by task as text, in as much room as there is.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { painted, widthOf } from '../../../runtime/cli/terminal/line.ts';
import { table } from '../../../runtime/cli/terminal/table.ts';

const score = (task: string, successes: number, trials = 20) => ({ task, successes, trials });
const SCORES = [score('mail-star', 20), score('files-new-folder', 0), score('calendar-infeasible', 13)];

const textOf = (width: number): readonly string[] =>
  table(SCORES, width).map(line => painted(line, false).trimEnd());

test('the worst task comes first, with a bar and how sure it is', () => {
  expect(textOf(79)).toEqual([
    'task                             solved',
    'files-new-folder     ░░░░░░░░░░   0/20    0 %  0–16 %',
    'calendar-infeasible  ███████░░░  13/20   65 %  43–82 %',
    'mail-star            ██████████  20/20  100 %  84–100 %',
  ]);
});

test('it keeps the numbers where it has to leave out bars, and then intervals', () => {
  expect(textOf(50)[1]).toBe('files-new-folder      0/20    0 %  0–16 %');
  const [head, worst] = textOf(36);
  expect(head).toBe('task                 solved');
  expect(worst).toBe('files-new-folder      0/20    0 %');
});

test('it is never wider than there is room, once the numbers have theirs', () => {
  fc.assert(
    fc.property(fc.integer({ min: 33, max: 200 }), width => {
      for (const line of table(SCORES, width)) expect(widthOf(line)).toBeLessThanOrEqual(width);
    }),
  );
});
