import { expect, test } from 'vitest';
import { decisionRows } from '../../../runtime/cli/terminal/decision-rows.ts';
import { renderLine } from '../../../runtime/cli/terminal/line.ts';
import { batchId, groupId, seed, taskId } from '../../../runtime/core/ids.ts';
import type { DecisionRecord } from '../../../runtime/data/files/decision-lines.ts';

const AT = new Date(2026, 0, 1, 9, 5, 7).getTime();
const common = {
  ...{ at: AT, group: groupId('run.x.g12'), instance: { task: taskId('mail-star'), seed: seed(3) } },
};

const text = (decision: DecisionRecord) => decisionRows([decision]).map(line => renderLine(line, false))[0];

test('a row has the time, the group, the kind, the instance and the reason', () => {
  expect(text({ ...common, kind: 'ordered', rollouts: 8, maxSteps: 6, why: 'its turn; 8 rollouts' })).toBe(
    '09:05:07  g12   ordered    mail-star 3  its turn; 8 rollouts',
  );
  expect(
    text({ ...common, kind: 'set aside', dropped: 1, duplicates: 0, filtered: 0, why: '1 too old' }),
  ).toMatch(/^09:05:07 +g12 +set aside +mail-star 3 +1 rollout: 1 too old$/);
});

test('a trained group shows how many of its steps train', () => {
  const trained = {
    ...common,
    kind: 'trained',
    batch: batchId('b'),
    rollouts: 7,
    why: 'all failed',
  } as const;
  expect(text({ ...trained, injected: true })).toMatch(/7 rollouts and a stored success.*all failed/);
  expect(text({ ...trained, injected: false, mask: { kept: 30, steps: 40 } })).toMatch(
    /7 rollouts.*all failed.*30 of 40 steps.*75 %/,
  );
  expect(text({ ...trained, injected: false, mask: { kept: 9, steps: 9 } })).toContain('all 9 steps train');
});

test('a long run has a row for each decision', () => {
  const ordered = { ...common, kind: 'ordered', rollouts: 8, maxSteps: 6, why: 'its turn' } as const;
  expect(decisionRows(Array.from({ length: 150_000 }, () => ordered))).toHaveLength(150_000);
});

test('without decisions there are no rows', () => {
  expect(decisionRows([])).toEqual([]);
});
