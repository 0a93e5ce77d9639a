// The decision log: written line by line, and read together with the trainer's masks.

import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { batchId, groupId, seed, taskId } from '../../../runtime/core/ids.ts';
import type { LoggedDecision } from '../../../runtime/data/files/decision-lines.ts';
import { readDecisions } from '../../../runtime/data/files/decision-lines.ts';
import { olderPlace, RotatingLog } from '../../../runtime/data/files/rotating-log.ts';

let folder: string;
let decisions: string;
let masks: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dartboard-decisions-'));
  [decisions, masks] = [join(folder, 'decisions.jsonl'), join(folder, 'masks.jsonl')];
});
afterEach(() => rm(folder, { recursive: true }));

const ordered = (number: number, task = 'a'): LoggedDecision => ({
  ...{ at: 1000 + number, kind: 'ordered', group: groupId(`r.g${number}`), why: 'its turn' },
  ...{ instance: { task: taskId(task), seed: seed(3) }, rollouts: 8, maxSteps: 6 },
});

const trained = (number: number): LoggedDecision => ({
  ...{
    at: 2000 + number,
    kind: 'trained',
    group: groupId(`r.g${number}`),
    why: 'some did better than others',
  },
  ...{ instance: { task: taskId('a'), seed: seed(3) }, batch: batchId('r.b1'), rollouts: 8, injected: false },
});

const read = (more: { task?: string; last?: number } = {}) =>
  readDecisions({ decisions, masks, last: 1000, ...more });

async function kept(...noted: readonly LoggedDecision[]): Promise<void> {
  const log = new RotatingLog<LoggedDecision>(decisions);
  for (const each of noted) log.note(each);
  await log.flush();
}

test('entries are read in order, across several processes', async () => {
  await kept(ordered(1), trained(1));
  await kept(ordered(2));
  await kept();
  expect(await read()).toEqual([ordered(1), trained(1), ordered(2)]);
});

test('entries are written by a flush, and later ones by the next flush', async () => {
  const log = new RotatingLog<LoggedDecision>(decisions);
  log.note(ordered(1));
  expect(await read()).toEqual([]);
  const [first, second] = [log.flush(), log.flush()];
  log.note(ordered(2));
  await Promise.all([first, second]);
  expect(await read()).toContainEqual(ordered(1));
  await log.flush();
  expect(await read()).toEqual([ordered(1), ordered(2)]);
});

test('an incomplete line after a crash loses no other line', async () => {
  await kept(ordered(1));
  await appendFile(decisions, '{"at":17,"kind":"ord');
  await kept(ordered(2));
  expect(await read()).toEqual([ordered(1), ordered(2)]);
});

test('entries of a failed write are written later', async () => {
  await writeFile(join(folder, 'in the way'), '');
  const log = new RotatingLog<LoggedDecision>(join(folder, 'in the way', 'decisions.jsonl'));
  log.note(ordered(1));
  await expect(log.flush()).rejects.toThrow();
  await rm(join(folder, 'in the way'));
  log.note(ordered(2));
  await log.flush();
  decisions = join(folder, 'in the way', 'decisions.jsonl');
  expect(await read()).toEqual([ordered(1), ordered(2)]);
});

test('the log drops its oldest entries at its maximum size', async () => {
  const log = new RotatingLog<LoggedDecision>(decisions, 2000);
  for (let number = 0; number < 200; number++) {
    log.note(ordered(number));
    await log.flush();
  }
  for (const path of [decisions, olderPlace(decisions)])
    expect((await stat(path)).size).toBeLessThanOrEqual(2000);
  const numbers = (await read()).map(({ at }) => at - 1000);
  expect(numbers.length).toBeGreaterThan(10);
  expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, index) => 200 - numbers.length + index));
});

test('the latest decisions of a task are found, with the number of trained steps', async () => {
  await kept(ordered(1), ordered(2, 'b'), trained(1), ordered(3), trained(3));
  const mask = (group: string, ...steps: readonly boolean[]) =>
    `${JSON.stringify({ batch: 'r.b1', group, threshold: 0, steps: steps.map(each => ({ uncertainty: 1, kept: each })) })}\n`;
  await writeFile(masks, `${mask('r.g1', true, false, true, true)}${mask('r.g9', true)}{"group":"r.g3"`);
  expect(await read({ task: 'a', last: 4 })).toEqual([
    ordered(1),
    { ...trained(1), mask: { kept: 3, steps: 4 } },
    ordered(3),
    trained(3),
  ]);
  expect(await read({ last: 1 })).toEqual([trained(3)]);
  expect(await read({ task: 'c' })).toEqual([]);
});

test('a flush without entries creates no file', async () => {
  await kept();
  await expect(readFile(decisions)).rejects.toThrow('ENOENT');
});
