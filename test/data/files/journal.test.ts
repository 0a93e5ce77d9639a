import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Journal } from '../../../runtime/data/files/journal.ts';
import { someDisks } from '../../simulation/some-disks.ts';
import { folder } from '../trajectories.ts';

async function written(path: string, records: readonly object[]): Promise<readonly number[]> {
  const { journal } = await Journal.open(path);
  const ends = await Promise.all(records.map(record => journal.append(record)));
  await journal.close();
  return ends;
}

const linesOf = (path: string): readonly unknown[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line));

test('concurrent appends keep their order, and each resolves with its end offset', async () => {
  const path = join(folder(), 'a.jsonl');
  const records = Array.from({ length: 50 }, (_, number) => ({ number, text: 'ä\n'.repeat(number) }));
  const ends = await written(path, records);
  expect(linesOf(path)).toEqual(records);
  const bytes = readFileSync(path);
  const lines = ends.map((end, index) => bytes.toString('utf8', ends[index - 1] ?? 0, end));
  expect(lines.map(line => JSON.parse(line))).toEqual(records);
  expect(await written(path, [{ number: 50 }])).toEqual([bytes.length + 14]);
});

test('after a crash at any byte, all complete lines remain and the next one follows', async () => {
  const path = join(folder(), 'a.jsonl');
  const record = fc.record({ text: fc.string({ unit: 'binary', maxLength: 30 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 6 }), fc.nat(), async (records, cut) => {
      writeFileSync(path, '');
      const ends = await written(path, records);
      const length = cut % ((ends.at(-1) ?? 0) + 1);
      truncateSync(path, length);
      const { journal, cut: torn } = await Journal.open(path);
      await journal.append({ text: 'after' });
      await journal.close();
      const whole = ends.filter(end => end <= length).length;
      expect(linesOf(path)).toEqual([...records.slice(0, whole), { text: 'after' }]);
      expect(torn === '').toBe(ends.includes(length) || length === 0);
    }),
    { numRuns: 60 },
  );
});

test.each([
  ['zeros that a loss of power left', '\0'.repeat(70_000)],
  ['half a line that is longer than what is read at once', `{"text":"${'x'.repeat(200_000)}`],
  ['a line that ended but holds nothing sensible', '{"text":\0\0\0\n'],
])('%s are cut off and told', async (_, torn) => {
  const path = join(folder(), 'a.jsonl');
  await written(path, [{ text: 'before' }]);
  appendFileSync(path, torn);
  const { journal, cut } = await Journal.open(path);
  await journal.close();
  expect(cut).toBe(torn);
  expect(linesOf(path)).toEqual([{ text: 'before' }]);
});

test('an acknowledged line survives a power failure with the name of its file', async () => {
  for (const { disk, machine } of someDisks()) {
    const { journal } = await Journal.open('/runs/a.jsonl', disk);
    await journal.append({ text: 'durable' });
    machine.losePower();
    const { cut } = await Journal.open('/runs/a.jsonl', disk);
    expect(cut).toBe('');
    expect(Buffer.from(await disk.read('/runs/a.jsonl')).toString()).toBe('{"text":"durable"}\n');
  }
});
