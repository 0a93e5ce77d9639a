// The table of runs at several widths.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderLine, widthOf } from '../../../runtime/cli/terminal/line.ts';
import { runsTable } from '../../../runtime/cli/terminal/runs-table.ts';
import type { RunSummary } from '../../../runtime/protocol/daemon/state.ts';
import { modelRunState } from '../../server/model-run-state.ts';
import { playedState } from '../../server/played-state.ts';

const { startedAt, seconds, of, about, curve } = playedState(700);
const last = curve.findLast(({ split }) => split === 'test');
const RUNS: readonly RunSummary[] = [
  {
    run: '2026-11-20-120000-dartboard',
    ...{ startedAt, seconds, of, about, status: 'failed', bytes: 48_312_000, canResume: true },
    ...(last !== undefined && { last }),
  },
  {
    run: '2026-11-20-110000-other',
    ...{ startedAt, seconds: 2, of, about, status: 'ended', bytes: 900, canResume: false },
  },
];

const textOf = (width: number, runs = RUNS): string[] =>
  runsTable(runs, width).map(line => renderLine(line, false));

test('a row for each run', () => {
  expect(textOf(100)).toEqual([
    'run                          status  success     95 %         trained     disk  resume',
    '2026-11-20-120000-dartboard  failed     58 %  49–67 %  11:40 of 20:00  48.3 MB  yes',
    '2026-11-20-110000-other      ended         ·        ·   0:02 of 20:00   0.9 kB  no',
  ]);
});

test('a narrow table drops the least important columns before it cuts names', () => {
  expect(textOf(75)[0]).toBe('run                          status  success         trained  resume');
  expect(textOf(28)).toEqual(['run', '2026-11-20-120000-dartboard', '2026-11-20-110000-other']);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 120 }), width => {
      for (const line of runsTable(RUNS, width)) expect(widthOf(line)).toBeLessThanOrEqual(width);
    }),
  );
});

test('runs of model agents have a cost', () => {
  const { spent } = modelRunState(700);
  const runs = RUNS.map((run, index) => (index === 0 ? { ...run, spent } : run));
  expect(textOf(110, runs).map(line => line.slice(-12))).toEqual([
    'resume  cost',
    'yes     2.95',
    'no         ·',
  ]);
});

test('without runs it names the command that starts one', () => {
  expect(runsTable([], 80).map(line => renderLine(line, false))).toEqual([
    expect.stringContaining('dartboard train'),
  ]);
});
