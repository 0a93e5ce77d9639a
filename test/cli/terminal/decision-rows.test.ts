import { expect, test } from 'vitest';
import { decisionRows } from '../../../runtime/cli/terminal/decision-rows.ts';
import { painted } from '../../../runtime/cli/terminal/line.ts';
import { batchId, groupId, seed, taskId } from '../../../runtime/core/ids.ts';
import type { Decision } from '../../../runtime/data/files/decision-lines.ts';

const AT = new Date(2026, 0, 1, 9, 5, 7).getTime();
const common = {
  ...{ at: AT, group: groupId('run.x.g12'), instance: { task: taskId('mail-star'), seed: seed(3) } },
};

const text = (decision: Decision) => decisionRows([decision]).map(line => painted(line, false))[0];

test('each decision is a line that says when, what, of which instance, and why', () => {
  expect(text({ ...common, kind: 'ordered', rollouts: 8, maxSteps: 6, why: 'its turn; 8 rollouts' })).toBe(
    '09:05:07  g12   ordered    mail-star 3  its turn; 8 rollouts',
  );
  expect(
    text({ ...common, kind: 'set aside', dropped: 1, duplicates: 0, filtered: 0, why: '1 too old' }),
  ).toBe('09:05:07  g12   set aside  mail-star 3  1 rollout: 1 too old');
});

test('of a group that trained it says how many of its steps did', () => {
  const trained = {
    ...common,
    kind: 'trained',
    batch: batchId('b'),
    rollouts: 7,
    why: 'all failed',
  } as const;
  expect(text({ ...trained, injected: true })).toContain('7 rollouts and a stored success: all failed');
  expect(text({ ...trained, injected: false, mask: { kept: 30, steps: 40 } })).toContain(
    '7 rollouts: all failed; the 30 least sure of 40 steps trained (75 %)',
  );
  expect(text({ ...trained, injected: false, mask: { kept: 9, steps: 9 } })).toContain(
    'all of 9 steps trained',
  );
});

test('nothing is no lines', () => {
  expect(decisionRows([])).toEqual([]);
});
