import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DurableFolder } from '../../../runtime/data/files/durable.ts';
import { someDisks } from '../../simulation/some-disks.ts';
import { folder } from '../trajectories.ts';

test('the last of several concurrent or overlapping writes of a name wins, and all of them resolve', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ name: fc.constantFrom('a', 'b'), size: fc.nat(200_000), isLater: fc.boolean() }), {
        minLength: 1,
      }),
      async writes => {
        const path = folder();
        const files = new DurableFolder(path);
        const written: Promise<void>[] = [];
        for (const [index, { name, size, isLater }] of writes.entries()) {
          // An earlier write is under way then.
          if (isLater) await nextTurn();
          written.push(files.write(name, new Uint8Array(size).fill(index)));
        }
        await Promise.all(written);
        for (const name of new Set(writes.map(each => each.name))) {
          const last = writes.findLastIndex(each => each.name === name);
          const expected = new Uint8Array(writes[last]?.size ?? 0).fill(last);
          expect((await readFile(join(path, name))).equals(expected)).toBe(true);
        }
      },
    ),
    { numRuns: 30 },
  );
});

test('a failed write rejects every write of that name in its round', async () => {
  const files = new DurableFolder(join(folder(), 'file\0name'));
  const results = await Promise.allSettled([1, 2].map(each => files.write('a', Uint8Array.of(each))));
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

test('a file that is found survives a power failure, also if the sync of its folder failed', async () => {
  for (const { disk, machine } of someDisks()) {
    let isFailing = false;
    const syncFolder = (path: string) =>
      isFailing ? Promise.reject(new Error('EIO')) : disk.syncFolder(path);
    const files = new DurableFolder('/runs', { ...disk, syncFolder });
    await files.write('run/one', Uint8Array.of(1));
    isFailing = true;
    await expect(files.write('run/two', Uint8Array.of(2))).rejects.toThrow('EIO');
    isFailing = false;
    expect(await files.has('run/three')).toBe(false);
    expect(await files.has('run/two')).toBe(true);
    machine.losePower();
    expect([...(await disk.read('/runs/run/two'))]).toEqual([2]);
  }
});

test('a written file survives a power failure with all folders above it, also those of an earlier process', async () => {
  for (const { disk, machine } of someDisks()) {
    // An earlier process was killed after it had made the folder.
    await disk.makeFolder('/runs/run', 0o700);
    await new DurableFolder('/runs', disk).write('run/checkpoints/one', Uint8Array.of(1));
    machine.losePower();
    expect([...(await disk.read('/runs/run/checkpoints/one'))]).toEqual([1]);
  }
});
