// How an index comes by what it knows: from its file, and from what happened since it was saved.

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runId, trajectoryId } from '../../../runtime/core/ids.ts';
import { markOf } from '../../../runtime/data/files/marks.ts';
import { INDEX, LEDGER, MARKS } from '../../../runtime/data/files/places.ts';
import { ledgerLineOf } from '../../../runtime/data/files/summary.ts';
import { Catalogue } from '../../../runtime/data/index/catalogue.ts';
import { Database } from '../../../runtime/data/index/database.ts';
import { folder, trajectory } from '../trajectories.ts';
import { fileOf, indexed, rowOf, several, write } from './filled.ts';

test('an index made from files and journals answers as the one that saw it all happen', async () => {
  await fc.assert(
    fc.asyncProperty(several, fc.nat(), async (all, chosen) => {
      const root = folder();
      const live = await indexed(root, all);
      const gone = all[chosen % all.length] ?? trajectory('t');
      const marked = all[(chosen + 1) % all.length] ?? trajectory('t');
      const mark = markOf({ kind: 'verdict', success: true }, marked.id, 'ada', 5);
      const line = ledgerLineOf(rowOf(gone), 7);
      live.forget([line], 0);
      live.mark(mark, 0);
      writeFileSync(join(root, LEDGER), `${JSON.stringify(line)}\n`);
      writeFileSync(join(root, MARKS), `${JSON.stringify(mark)}\n`);
      for (const each of all) if (each !== gone) write(root, each);
      rmSync(join(root, INDEX), { force: true });
      const anew = await Catalogue.open(root);
      expect(anew.caughtUp).toEqual({ isRebuilt: true, read: all.length - 1, complaints: [] });
      expect(answersOf(anew)).toEqual(answersOf(live));
    }),
    { numRuns: 25 },
  );
});

const answersOf = ({ answers, uncertain }: Catalogue) => {
  // In what order they came is known to the one that saw it.
  const { upTo: _, ...page } = answers.page({
    ...{ filter: {}, sort: 'endedAt', descending: false, offset: 0, limit: 99 },
  });
  const steps = uncertain.steps({ filter: {}, offset: 0, limit: 999 });
  const byText = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
  return {
    page,
    steps: [...steps].sort(byText),
    rates: [...answers.rates({ filter: {} })].sort(byText),
    kept: [...answers.kept()].sort(byText),
    volume: answers.volume(),
  };
};

test('a saved index that is older than the files reads only what is new, and drops what is gone', async () => {
  const root = folder();
  for (const id of ['a', 'b', 'c']) write(root, trajectory(id));
  (await Catalogue.open(root)).close();
  write(root, trajectory('d'));
  rmSync(fileOf(root, 'b'));
  const caught = await Catalogue.open(root);
  expect(caught.caughtUp).toEqual({ isRebuilt: false, read: 1, complaints: [] });
  const { rows } = caught.answers.page({
    filter: {},
    sort: 'endedAt',
    descending: false,
    offset: 0,
    limit: 9,
  });
  expect(rows.map(({ id }) => String(id)).sort()).toEqual(['a', 'c', 'd']);
});

test('a deletion that a crash cut short is finished with the next start, and counts once', async () => {
  for (const isSaved of [true, false]) {
    const root = folder();
    for (const id of ['a', 'b']) write(root, trajectory(id));
    if (isSaved) (await Catalogue.open(root)).close();
    const line = ledgerLineOf(rowOf(trajectory('a')), 2000);
    writeFileSync(join(root, LEDGER), `${JSON.stringify(line)}\n`);
    for (let start = 0; start < 2; start++) {
      const catalogue = await Catalogue.open(root);
      expect(existsSync(fileOf(root, 'a'))).toBe(false);
      expect(catalogue.answers.row(trajectoryId('a'))).toBeUndefined();
      expect(catalogue.answers.rates({ filter: {} })).toMatchObject([{ trials: 2 }]);
      catalogue.close();
    }
  }
});

test('what was made again after it had given way stays', async () => {
  const root = folder();
  const line = ledgerLineOf(rowOf(trajectory('a')), 2000);
  writeFileSync(join(root, LEDGER), `${JSON.stringify(line)}\n`);
  const again = trajectory('a', { endedAt: 2001 });
  write(root, again);
  for (let start = 0; start < 2; start++) {
    const catalogue = await Catalogue.open(root);
    expect(catalogue.answers.row(again.id)).toEqual(rowOf(again));
    expect(existsSync(fileOf(root, 'a'))).toBe(true);
    catalogue.close();
    rmSync(join(root, INDEX));
  }
});

test('a damaged index, or one of another schema, is made anew', async () => {
  const root = folder();
  write(root, trajectory('a'));
  (await Catalogue.open(root)).close();
  const path = join(root, INDEX);
  const bytes = readFileSync(path);
  const older = await Database.load(path);
  older?.script('PRAGMA user_version = 0');
  older?.save(path);
  const olderBytes = readFileSync(path);
  for (const damage of [
    () => bytes.with(5000, bytes[5000] === 0 ? 1 : 0),
    () => bytes.subarray(0, 4096),
    () => Buffer.from('no index'),
    () => Buffer.alloc(0),
    () => olderBytes,
  ]) {
    writeFileSync(path, damage());
    const { caughtUp, answers } = await Catalogue.open(root);
    expect(caughtUp).toMatchObject({ isRebuilt: true, read: 1 });
    expect(answers.row(trajectoryId('a'))).toEqual(rowOf(trajectory('a')));
  }
});

test('a journal that is shorter than it was is read from its beginning', async () => {
  const root = folder();
  const mark = (text: string) =>
    `${JSON.stringify(markOf({ kind: 'note', text }, trajectoryId('a'), 'ada', 1))}\n`;
  write(root, trajectory('a'));
  writeFileSync(join(root, MARKS), mark('the first') + mark('the second'));
  (await Catalogue.open(root)).close();
  writeFileSync(join(root, MARKS), mark('another'));
  const { caughtUp, answers } = await Catalogue.open(root);
  expect(caughtUp.isRebuilt).toBe(true);
  expect(answers.row(trajectoryId('a'))?.note).toBe('another');
});

test('damaged, misplaced and unfinished files are passed over; what somebody can do about it is told', async () => {
  const root = folder();
  for (const id of ['a', 'b', 'c']) write(root, trajectory(id));
  writeFileSync(fileOf(root, 'b'), readFileSync(fileOf(root, 'b')).subarray(0, 100));
  const unfinished = `${fileOf(root, 'd')}.1.unfinished`;
  mkdirSync(dirname(unfinished), { recursive: true });
  writeFileSync(unfinished, 'half');
  const elsewhere = fileOf(root, 'c', runId('renamed'));
  mkdirSync(dirname(elsewhere), { recursive: true });
  writeFileSync(elsewhere, readFileSync(fileOf(root, 'c')));
  rmSync(fileOf(root, 'c'));
  const { caughtUp } = await Catalogue.open(root);
  expect(caughtUp.read).toBe(1);
  expect([...caughtUp.complaints].sort()).toEqual([
    expect.stringMatching(/b\.zip' .*put the file back from a copy, or delete it/),
    expect.stringMatching(/'renamed.*c\.zip' belongs at 'run-1.*c\.zip': move it there/),
  ]);
  expect(() => readFileSync(unfinished)).toThrow('ENOENT');
});
