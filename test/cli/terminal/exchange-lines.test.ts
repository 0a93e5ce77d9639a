// The reports of imports and exports, as a terminal prints them.

import { expect, test } from 'vitest';
import { exportLines, importLines } from '../../../runtime/cli/terminal/exchange-lines.ts';
import type { ImportReport } from '../../../runtime/protocol/daemon/exchange.ts';

const one = (trajectory: string, changes: Partial<ImportReport['trajectories'][number]> = {}) => ({
  ...({ trajectory, format: 'dart', file: `${trajectory}.json`, task: `task-${trajectory}` } as const),
  ...({ instruction: '', steps: 2, pictures: 0, unreadable: 0, outcome: 'success', isKnown: false } as const),
  notes: [],
  ...changes,
});
const counts = { stored: 2000, known: 0, skipped: 0, steps: 36_000, unreadable: 1 };

test('numbers cover what the lists of a report leave out', () => {
  const lines = importLines({
    ...{ source: '/data', counts: { ...counts, known: 3, skipped: 1200 }, trajectories: [one('a')] },
    skipped: [{ file: 'b.json', why: 'It is no JSON. Repair it.' }],
  });
  expect(lines).toEqual([
    '2,000 trajectories imported from /data, 3 were imported before.',
    'They have 36,000 steps.',
    '1 step has no action that Dartboard can perform: the reply is kept as text.',
    'They train once they are in the success pool: accept them in the panel Annotate.',
    'Skipped: b.json. It is no JSON. Repair it.',
    '1,199 more files were skipped.',
  ]);
});

test('equal reasons are one line, and many reasons are cut', () => {
  const untrained = 'It has no score.';
  const many = Array.from({ length: 25 }, (_, index) =>
    one(`n${index}`, { notes: [`Note ${'i'.repeat(index)}.`] }),
  );
  const lines = importLines({
    ...{ source: '/data', counts, skipped: [] },
    trajectories: [one('a', { untrained }), one('b', { untrained }), ...many],
  });
  expect(lines).toContain("Not for training: a (task 'task-a') and 1 more. It has no score.");
  expect(lines).toContain(
    'The others train once they are in the success pool: accept them in the panel Annotate.',
  );
  expect(lines.filter(line => line.startsWith('Incomplete: '))).toHaveLength(20);
  expect(lines).toContain('5 more reasons: --json prints all.');
});

test('reasons that differ in their values alone are one line, with the first as the example', () => {
  const untrained = (seed: number) =>
    `Its instance (task 't', seed ${seed}) is reserved for tests. Import others.`;
  const missing = (number: number) => `The picture 'image_${number}.png' is missing.`;
  const lines = importLines({
    ...{ source: '/data', counts, skipped: [] },
    trajectories: Array.from({ length: 64 }, (_, index) =>
      one(`n${index}`, { untrained: untrained(index), notes: [missing(index)] }),
    ),
  });
  expect(lines.slice(3)).toEqual([
    "Incomplete: n0.json and 63 similar ones. The picture 'image_0.png' is missing.",
    `Not for training: n0 (task 'task-n0') and 63 similar ones. ${untrained(0)}`,
  ]);
});

test('an export names its folder, format, examples and what was skipped', () => {
  expect(
    exportLines({
      ...{
        format: 'llama-factory',
        folder: '/out',
        counts: { trajectories: 1, trimmed: 1, examples: 9, skipped: 1 },
      },
      skipped: [{ trajectory: 't', why: 'Reply 1 has no picture before it.' }],
    }),
  ).toEqual([
    '1 trajectory exported to /out as LLaMA-Factory messages: 9 examples.',
    '1 of them has only the part to learn from: --whole exports all steps.',
    'Skipped: t. Reply 1 has no picture before it.',
  ]);
});
