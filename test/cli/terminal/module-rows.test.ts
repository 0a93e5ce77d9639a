// The rows of the modules, and the shares that only some runs have.

import { expect, test } from 'vitest';
import { moduleRows } from '../../../runtime/cli/terminal/module-rows.ts';
import type { RunState } from '../../../runtime/protocol/daemon/state.ts';
import { playedState } from '../../server/played-state.ts';

function trainerRow(shares: Partial<RunState['trainer']>): string {
  const state = playedState(5);
  const rows = moduleRows({ ...state, trainer: { ...state.trainer, ...shares } }, 400, {
    data: 9,
    others: 9,
  });
  const texts = rows.map(line => line.map(({ text }) => text).join(''));
  return texts.find(text => text.startsWith('trainer')) ?? '';
}

test('the trainer shows what share of its rows are lessons, and what share of these were transferred from people', () => {
  const row = trainerRow({ imitatedShare: 0.8, personTransferShare: 0.25 });
  expect(row).toContain('80 % of rows imitated · 25 % of lessons transferred from people');
});

test('shares that a run does not have are left out', () => {
  expect(trainerRow({ imitatedShare: 0.8, personTransferShare: 0 })).not.toContain('people');
  expect(trainerRow({})).not.toContain('imitated');
});
