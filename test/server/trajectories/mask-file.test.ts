// Reads masks of groups while a trainer appends to the file.

import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { EntropyMask } from '../../../runtime/core/batch.ts';
import { batchId, groupId, trajectoryId } from '../../../runtime/core/ids.ts';
import { olderPlace, RotatingLog } from '../../../runtime/data/files/rotating-log.ts';
import { readMask } from '../../../runtime/server/trajectories/mask-file.ts';
import { trainingOf } from '../../../runtime/server/trajectories/trajectory-view.ts';
import { folder } from '../../data/trajectories.ts';

const mask = (group: string, ...uncertainties: readonly number[]): EntropyMask => ({
  batch: batchId('batch-1'),
  group: groupId(group),
  threshold: 0.2,
  steps: uncertainties.map(uncertainty => ({ uncertainty, kept: uncertainty >= 0.2 })),
  rollouts: [
    { trajectory: trajectoryId('a'), steps: 1, advantage: 1.5 },
    { trajectory: trajectoryId('b'), steps: uncertainties.length - 1, advantage: -0.5 },
  ],
});
const line = (each: EntropyMask): string => `${JSON.stringify(each)}\n`;

test('a group is found as soon as its line is complete', async () => {
  const path = join(folder(), 'masks.jsonl');
  expect(await readMask(path, groupId('g1'))).toBeUndefined();
  writeFileSync(path, line(mask('g1', 0.1, 0.3)));
  expect(await readMask(path, groupId('g1'))).toEqual(mask('g1', 0.1, 0.3));
  const next = line(mask('g2', 0.5, 0.6));
  appendFileSync(path, next.slice(0, 40));
  expect(await readMask(path, groupId('g2'))).toBeUndefined();
  appendFileSync(path, next.slice(40));
  const found = await Promise.all(['g2', 'g1', 'g3'].map(group => readMask(path, groupId(group))));
  expect(found).toEqual([mask('g2', 0.5, 0.6), mask('g1', 0.1, 0.3), undefined]);
});

test('a line that a power failure tore is no mask, and the lines around it stay', async () => {
  const path = join(folder(), 'masks.jsonl');
  const torn = line(mask('g2', 0.5, 0.6)).slice(0, 60);
  expect(torn).toContain('"g2"');
  writeFileSync(path, `${line(mask('g1', 0.1))}${torn}\n${line(mask('g3', 0.3))}`);
  const found = await Promise.all(['g1', 'g2', 'g3'].map(group => readMask(path, groupId(group))));
  expect(found).toEqual([mask('g1', 0.1), undefined, mask('g3', 0.3)]);
});

test('groups in a rotated file are found', async () => {
  const path = join(folder(), 'masks.jsonl');
  const log = new RotatingLog<EntropyMask>(path, 600);
  for (const group of ['g1', 'g2', 'g3']) {
    log.note(mask(group, 0.1, 0.3));
    await log.flush();
    expect(await readMask(path, groupId(group))).toEqual(mask(group, 0.1, 0.3));
  }
  expect(existsSync(olderPlace(path))).toBe(true);
  expect(await readMask(path, groupId('g2'))).toEqual(mask('g2', 0.1, 0.3));
});

test('each trajectory of a group gets its own steps of the mask and its advantage', () => {
  const ofGroup = mask('g', 0.1, 0.3, 0.05);
  expect(trainingOf(ofGroup, trajectoryId('b'))).toEqual([
    { batch: 'batch-1', threshold: 0.2, uncertainty: 0.3, kept: true, advantage: -0.5 },
    { batch: 'batch-1', threshold: 0.2, uncertainty: 0.05, kept: false, advantage: -0.5 },
  ]);
  expect(trainingOf(ofGroup, trajectoryId('c'))).toBeUndefined();
  const [first, ...others] = ofGroup.steps;
  if (first === undefined) throw new Error('The group has no step.');
  const ofStep = { ...ofGroup, steps: [{ ...first, advantage: 2 }, ...others] };
  expect(trainingOf(ofStep, trajectoryId('a'))).toMatchObject([{ advantage: 2 }]);
  const { rollouts: _, ...before } = ofGroup;
  expect(trainingOf(before, trajectoryId('b'))).toBeUndefined();
});
