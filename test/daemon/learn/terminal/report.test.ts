// The summary of a training as text.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Summary, summary } from '../../../../runtime/daemon/learn/terminal/report.ts';
import { painted, widthOf } from '../../../../runtime/daemon/terminal/line.ts';
import { table } from '../../../../runtime/daemon/terminal/table.ts';

const score = (task: string, successes: number, trials = 20) => ({ task, successes, trials });

const SUMMARY: Summary = {
  seconds: 300,
  of: 300,
  test: [score('mail-star', 20), score('files-new-folder', 0), score('calendar-infeasible', 13)],
  train: [score('mail-star', 19), score('files-new-folder', 2), score('calendar-infeasible', 15)],
  folder: '.dartboard/runs/2026-11-20-131949-dartboard',
  files: [
    { name: 'weights.safetensors', what: 'the policy' },
    { name: 'curve.svg', what: 'success over time, as a picture' },
  ],
  next: [{ name: 'npx dartboard run', what: 'watch it try a task' }],
};

const textOf = (of: Summary, width: number): string =>
  summary(of, width)
    .map(line => painted(line, false))
    .join('\n');

test('in a usual terminal, the worst task first', async () => {
  await expect(`${textOf(SUMMARY, 79)}\n`).toMatchFileSnapshot('../golden/summary-79.txt');
});

test('one that was stopped says so', () => {
  expect(textOf({ ...SUMMARY, seconds: 92 }, 79)).toContain(
    'Stopped after 1:32 of 5:00; what was learned is kept.',
  );
});

test('it is never wider than there is room, but for names of files and commands', () => {
  const names = [SUMMARY.folder, ...[...SUMMARY.files, ...SUMMARY.next].map(({ name }) => name)];
  fc.assert(
    fc.property(fc.integer({ min: 8, max: 200 }), width => {
      for (const line of summary(SUMMARY, width)) {
        const isName = names.some(name => painted(line, false).includes(name));
        if (!isName) expect(widthOf(line)).toBeLessThanOrEqual(width);
      }
    }),
  );
  for (const name of names) expect(textOf(SUMMARY, 10)).toContain(name);
});

test('a table keeps the numbers when it has to leave out bars and intervals', () => {
  const [head, worst] = table([{ title: 'solved', scores: SUMMARY.test }], 36).map(line =>
    painted(line, false),
  );
  expect(head).toBe('task                 solved');
  expect(worst).toBe('files-new-folder      0/20    0 %');
});
