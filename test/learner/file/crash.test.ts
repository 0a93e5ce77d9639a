// The folder of updates after a crash at every write, and after a write that fails.

import { describe, expect, test } from 'vitest';
import { at } from '../../../runtime/core/at.ts';
import type { UpdateFiles } from '../../../runtime/learner/file/file-learner.ts';
import { LIVE } from '../laws/law.ts';
import { type Disk, type Fate, MemoryFiles } from './memory-files.ts';
import { linesIn, listed, open, textIn } from './open-file-learner.ts';
import { updateNamed } from './steps.ts';

describe('a crash at any write', () => {
  /** A run with its checkpoint: it loads what was saved, and makes all later updates again. */
  async function run(files: UpdateFiles, checkpoint: { saved?: string }): Promise<void> {
    const learner = await open(files);
    if (checkpoint.saved === undefined) {
      await learner.update(updateNamed('u1'), LIVE);
      checkpoint.saved = await learner.save('one', LIVE);
    } else await learner.load(checkpoint.saved, LIVE);
    await learner.update(updateNamed('u2'), LIVE);
    await learner.update(updateNamed('u3'), LIVE);
  }
  /** Whether the run ends before it crashes. */
  const ends = (running: Promise<void>): Promise<boolean> =>
    running.then(
      () => true,
      () => false,
    );
  /** Every file that the manifest lists is there and whole. */
  const expectWhole = (disk: Disk): void => {
    for (const { rows, jsonl, parquet, chat = '' } of listed(disk)) {
      const lines = linesIn(disk, jsonl);
      expect(lines).toHaveLength(rows);
      for (const [, hash] of JSON.stringify(lines).matchAll(/"image":"(\w+)"/g))
        expect(disk.has(`images/${hash}.png`)).toBe(true);
      expect([disk.has(parquet), disk.has(chat)]).toEqual([true, true]);
    }
  };
  const UPDATES = [
    ['u1', 1],
    ['u2', 2],
    ['u3', 3],
  ];

  test.each<Fate>(['lost', 'written'])(
    'leaves a valid folder, also a second crash; the write is %s',
    async fate => {
      let crashes = 0;
      for (let [first, hasEnded] = [0, false]; !hasEnded; first++)
        for (let [second, hasEndedAgain] = [0, false]; !hasEndedAgain; second += 3) {
          const [disk, checkpoint]: [Disk, { saved?: string }] = [new Map(), {}];
          hasEnded = await ends(run(new MemoryFiles(disk, { at: first, fate }), checkpoint));
          expectWhole(disk);
          hasEndedAgain = await ends(run(new MemoryFiles(disk, { at: second, fate }), checkpoint));
          expectWhole(disk);
          await run(new MemoryFiles(disk), checkpoint);
          expectWhole(disk);
          expect(listed(disk).map(({ id, step }) => [id, step])).toEqual(UPDATES);
          crashes += 1;
        }
      expect(crashes).toBeGreaterThan(70);
    },
  );

  test('never changes a file that is listed', async () => {
    class Watching extends MemoryFiles {
      override async write(place: string, bytes: Uint8Array): Promise<void> {
        const isListed = listed(this.disk).some(entry => Object.values(entry).includes(place));
        if (isListed) expect(bytes, place).toEqual(this.disk.get(place));
        await super.write(place, bytes);
      }
    }
    const [disk, checkpoint]: [Disk, { saved?: string }] = [new Map(), {}];
    for (let write = 0; write < 20; write++)
      await ends(run(new Watching(disk, { at: write, fate: 'written' }), checkpoint));
    await run(new Watching(disk), checkpoint);
    expect(listed(disk).map(({ id, step }) => [id, step])).toEqual(UPDATES);
  });
});

test('a write that fails although it reached the disk leaves its files as they are', async () => {
  class FailsOnce extends MemoryFiles {
    #hasFailed = false;
    override async write(place: string, bytes: Uint8Array): Promise<void> {
      await super.write(place, bytes);
      if (place !== 'manifest.json' || this.#hasFailed) return;
      this.#hasFailed = true;
      throw new Error('The folder cannot be synced. Check the disk.');
    }
  }
  const files = new FailsOnce(new Map());
  const learner = await open(files);
  await expect(learner.update(updateNamed('u1'), LIVE)).rejects.toThrow('cannot be synced');
  const { jsonl } = at(listed(files.disk), 0);
  const before = textIn(files.disk, jsonl);
  expect(await learner.update(updateNamed('u2'), LIVE)).toEqual({ step: 1 });
  expect(textIn(files.disk, jsonl)).toBe(before);
  expect(listed(files.disk).map(({ id }) => id)).toEqual(['u2']);
});
