// Exports of a workspace that are imported into the same workspace: they double no trajectory.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Step } from '../../runtime/core/step.ts';
import type { Trajectory } from '../../runtime/core/trajectory.ts';
import { type ExportItem, exportTrajectories } from '../../runtime/formats/export.ts';
import { openSource } from '../../runtime/formats/source/open.ts';
import { IMPORT_FORMATS, type ImportFormat } from '../../runtime/protocol/daemon/exchange.ts';
import { afterVerdict, isCorrected } from '../../runtime/server/exchange/after-verdict.ts';
import { judged, trajectory } from '../data/trajectories.ts';
import { temporaryFolder } from '../temporary.ts';
import { imported, MemoryStore, NOW, picture } from './sources.ts';

const SCREEN = { width: 1920, height: 1080 };
const click = (x: number): Step => ({ action: { kind: 'click', at: { x, y: 500 } }, meant: [] });
const STORED = trajectory('t', {
  steps: [click(100), click(1500), { action: { kind: 'finished', answer: '' }, meant: [] }],
  ...{ outcome: judged(1), instruction: 'Open it.', startedAt: NOW, endedAt: NOW },
});
const PICTURES = [0, 1, 2, 3].map(number => picture(SCREEN, number));

/** The store of the workspace, and an import of an export of its trajectory. */
async function exportedFrom(
  format: ImportFormat,
  changes: Partial<ExportItem & { kind: 'trajectory' }> = {},
) {
  const folder = join(temporaryFolder('own'), 'out');
  async function* items() {
    yield { kind: 'trajectory', trajectory: STORED, pictures: PICTURES, ...changes } as const;
  }
  await exportTrajectories({
    ...{ format, folder, screen: SCREEN, domainOf: () => 'x', trajectories: items() },
  });
  const store = new MemoryStore();
  await store.add(STORED);
  return async () => (await imported(await openSource(folder), { store })).report;
}

test.each(IMPORT_FORMATS)('an export as %s is recognised', async format => {
  const importAgain = await exportedFrom(format);
  const { counts, trajectories } = await importAgain();
  expect(counts).toMatchObject({ stored: 0, known: 1, skipped: 0 });
  expect(trajectories).toMatchObject([{ trajectory: 't', isKnown: true }]);
});

const corrected = (marks: Parameters<typeof afterVerdict>[1]) => {
  const judgedAgain: Trajectory = afterVerdict(STORED, marks);
  return { trajectory: judgedAgain, isCorrected: isCorrected(STORED, judgedAgain) };
};

test.each(['dart', 'agentnet'] as const)('a changed copy in %s is a trajectory of its own', async format => {
  for (const changes of [
    { part: { from: 1, to: 3 } },
    corrected({ newInstruction: 'Close it.' }),
    corrected({ verdict: false }),
  ]) {
    const importAgain = await exportedFrom(format, changes);
    expect((await importAgain()).counts).toMatchObject({ stored: 1, known: 0, skipped: 0 });
    expect((await importAgain()).counts).toMatchObject({ stored: 0, known: 1, skipped: 0 });
  }
});

test('a verdict that confirms the score changes nothing', () => {
  expect(corrected({ verdict: true, newInstruction: 'Open it.' }).isCorrected).toBe(false);
});
