import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isAsLong, readLines } from '../../../runtime/data/index/journal-lines.ts';
import { folder } from '../trajectories.ts';

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

async function read(path: string, start = 0) {
  const taken: string[] = [];
  const take = async (line: string) => void taken.push(line);
  return { taken, ...(await readLines(path, start, textOf, take)) };
}

test('every complete line is read once, of any length, and a later read continues at the end', async () => {
  const path = join(folder(), 'journal');
  // Letters of one and two bytes, and lines longer than a block, so that blocks end within lines and letters.
  const lines = Array.from({ length: 300 }, (_, number) => 'aä'.repeat(number % 5 === 0 ? 11_111 : number));
  lines.push('ö'.repeat(3_000_000));
  writeFileSync(path, lines.map(line => `${JSON.stringify(line)}\n`).join(''));
  appendFileSync(path, '"half');
  const first = await read(path);
  expect(first).toMatchObject({ taken: lines, count: lines.length, complaints: [] });
  expect(isAsLong(path, first.end)).toBe(true);
  appendFileSync(path, ' a line"\n"last"\n');
  const next = await read(path, first.end);
  expect(next).toMatchObject({ taken: ['half a line', 'last'], count: 2 });
  expect(isAsLong(path, next.end)).toBe(true);
  expect(isAsLong(path, next.end + 1)).toBe(false);
});

test('invalid lines are skipped and reported, and a missing journal is empty', async () => {
  const path = join(folder(), 'journal');
  expect(await read(path)).toEqual({ taken: [], count: 0, end: 0, complaints: [] });
  expect([isAsLong(path, 0), isAsLong(path, 1)]).toEqual([true, false]);
  const text = '"one"\n{"half\n7\n\n"two"\n';
  writeFileSync(path, text);
  const { taken, end, complaints } = await read(path);
  expect(taken).toEqual(['one', 'two']);
  expect(end).toBe(text.length);
  expect(complaints).toEqual(
    ['{"half', '7', ''].map(line => `'${path}' has an invalid line, which was skipped: ${line}`),
  );
});
