// An index at its start: its saved file, and the changes since it was saved.

import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runId, trajectoryId } from '../../../runtime/core/ids.ts';
import type { Trajectory } from '../../../runtime/core/trajectory.ts';
import { markOf } from '../../../runtime/data/files/marks.ts';
import { LEDGER, MARKS } from '../../../runtime/data/files/places.ts';
import { ledgerLineOf } from '../../../runtime/data/files/summary.ts';
import type { Catalogue } from '../../../runtime/data/index/catalogue.ts';
import { folder, trajectory } from '../trajectories.ts';
import { fileOf, indexed, loseIndex, openIndex, rowOf, several, write } from './filled-index.ts';

test('an index rebuilt from files and journals gives the same results as the live one', async () => {
  await fc.assert(
    fc.asyncProperty(several, fc.nat(), async (all, chosen) => {
      const root = folder();
      const live = await indexed(root, all);
      const gone = all[chosen % all.length] ?? trajectory('t');
      const marked = all[(chosen + 1) % all.length] ?? trajectory('t');
      const mark = markOf({ kind: 'verdict', success: true }, marked.id, 'ada', 5);
      const line = ledgerLineOf(rowOf(gone), 7);
      const text = `${JSON.stringify(line)}\n`;
      await live.forget([line], Buffer.byteLength(text));
      await live.mark(mark, 0);
      writeFileSync(join(root, LEDGER), text);
      writeFileSync(join(root, MARKS), `${JSON.stringify(mark)}\n`);
      for (const each of all) if (each !== gone) write(root, each);
      loseIndex(root);
      const rebuilt = await openIndex(root);
      expect(rebuilt.caughtUp).toEqual({ read: all.length - 1, complaints: [] });
      expect(await resultsOf(rebuilt)).toEqual(await resultsOf(live));
    }),
    { numRuns: 25 },
  );
});

const resultsOf = async ({ queries }: Catalogue) => {
  // `upTo` depends on the order of arrival, which only the live index has.
  const { upTo: _, ...page } = await queries.page({
    ...{ filter: {}, sort: 'endedAt', descending: false, offset: 0, limit: 99 },
  });
  const steps = await queries.steps({ filter: {}, offset: 0, limit: 999 });
  const byText = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
  return {
    page,
    steps: [...steps].sort(byText),
    rates: [...(await queries.rates({ filter: {} }))].sort(byText),
    kept: [...(await queries.kept())].sort(byText),
    volume: await queries.volume(),
  };
};

test('a saved index reads only new files and drops missing ones', async () => {
  const root = folder();
  for (const id of ['a', 'b', 'c']) write(root, trajectory(id));
  await (await openIndex(root)).close();
  write(root, trajectory('d'));
  rmSync(fileOf(root, 'b'));
  const caught = await openIndex(root);
  expect(caught.caughtUp).toEqual({ read: 1, complaints: [] });
  const { rows } = await caught.queries.page({
    filter: {},
    sort: 'endedAt',
    descending: false,
    offset: 0,
    limit: 9,
  });
  expect(rows.map(({ id }) => String(id)).sort()).toEqual(['a', 'c', 'd']);
});

test('the next start completes a deletion that a crash interrupted, and counts it once', async () => {
  for (const isSaved of [true, false]) {
    const root = folder();
    for (const id of ['a', 'b']) write(root, trajectory(id));
    if (isSaved) await (await openIndex(root)).close();
    const line = ledgerLineOf(rowOf(trajectory('a')), 2000);
    writeFileSync(join(root, LEDGER), `${JSON.stringify(line)}\n`);
    for (let start = 0; start < 2; start++) {
      const catalogue = await openIndex(root);
      expect(existsSync(fileOf(root, 'a'))).toBe(false);
      expect(await catalogue.queries.row(trajectoryId('a'))).toBeUndefined();
      expect(await catalogue.queries.rates({ filter: {} })).toMatchObject([{ trials: 2 }]);
      await catalogue.close();
    }
  }
});

test('a file that comes back after its deletion is deleted again, although the index has read the ledger', async () => {
  const root = folder();
  const gone = trajectory('a');
  for (const each of [gone, trajectory('b')]) write(root, each);
  const line = ledgerLineOf(rowOf(gone), 2000);
  const text = `${JSON.stringify(line)}\n`;
  const live = await openIndex(root);
  writeFileSync(join(root, LEDGER), text);
  await live.forget([line], Buffer.byteLength(text));
  await live.close();
  // As when a disk loses the deletion.
  write(root, gone);
  const catalogue = await openIndex(root);
  expect(await catalogue.queries.row(gone.id)).toBeUndefined();
  expect(existsSync(fileOf(root, 'a'))).toBe(false);
  expect(await catalogue.queries.rates({ filter: {} })).toMatchObject([{ trials: 2 }]);
  await catalogue.close();
});

const RUN = runId('run-1');
const COPY = runId(`${RUN}-backup`);
const MISPLACED = expect.stringMatching(/'run-1-backup.*is in the wrong folder/);

test('a copy of the folder of a run takes none of its trajectories out of a rebuilt index', async () => {
  const root = folder();
  for (const id of ['a', 'b']) write(root, trajectory(id));
  cpSync(join(root, RUN), join(root, COPY), { recursive: true });
  const { caughtUp, queries } = await openIndex(root);
  expect(caughtUp).toEqual({ read: 2, complaints: [MISPLACED, MISPLACED] });
  for (const id of ['a', 'b']) expect(await queries.row(trajectoryId(id))).toEqual(rowOf(trajectory(id)));
});

test('a deletion that a crash interrupted is completed, and a copy of its file elsewhere stays', async () => {
  const root = folder();
  write(root, trajectory('a'));
  cpSync(join(root, RUN), join(root, COPY), { recursive: true });
  writeFileSync(join(root, LEDGER), `${JSON.stringify(ledgerLineOf(rowOf(trajectory('a')), 2000))}\n`);
  const { caughtUp, queries } = await openIndex(root);
  expect(caughtUp).toEqual({ read: 0, complaints: [MISPLACED] });
  expect(await queries.row(trajectoryId('a'))).toBeUndefined();
  expect([RUN, COPY].map(run => existsSync(fileOf(root, 'a', run)))).toEqual([false, true]);
});

test('a run whose deletion was interrupted leaves a saved index', async () => {
  const root = folder();
  write(root, trajectory('a'));
  write(root, trajectory('b', { run: runId('run-2') }));
  await (await openIndex(root)).close();
  renameSync(join(root, RUN), join(root, `.deleted-${RUN}`));
  const { caughtUp, queries } = await openIndex(root);
  expect(caughtUp).toEqual({ read: 0, complaints: [] });
  expect(await queries.row(trajectoryId('a'))).toBeUndefined();
  expect((await queries.volume()).count).toBe(1);
});

test('a file whose deletion failed stays when somebody has marked it since', async () => {
  const root = folder();
  const kept = trajectory('a');
  write(root, kept);
  writeFileSync(join(root, LEDGER), `${JSON.stringify(ledgerLineOf(rowOf(kept), 2000))}\n`);
  const mark = markOf({ kind: 'verdict', success: true }, kept.id, 'ada', 3000);
  writeFileSync(join(root, MARKS), `${JSON.stringify(mark)}\n`);
  const catalogue = await openIndex(root);
  expect(existsSync(fileOf(root, 'a'))).toBe(true);
  expect((await catalogue.queries.row(kept.id))?.id).toBe(kept.id);
  await catalogue.close();
});

test('an index that was opened again since does not count a deletion twice', async () => {
  const root = folder();
  write(root, trajectory('a'));
  const line = ledgerLineOf(rowOf(trajectory('a')), 2000);
  const text = `${JSON.stringify(line)}\n`;
  writeFileSync(join(root, LEDGER), text);
  const catalogue = await openIndex(root);
  await catalogue.forget([line], Buffer.byteLength(text));
  expect(await catalogue.queries.rates({ filter: {} })).toMatchObject([{ trials: 1 }]);
  await catalogue.close();
});

test.each([
  [1999, false],
  [2001, true],
])(
  'a deletion in 2000 of what was imported in %d, with an older time of its source: stays is %s',
  async (at, stays) => {
    const root = folder();
    const imported = trajectory('a', {
      ...{ endedAt: 1000, provenance: { kind: 'imported', from: 'x', at } },
    });
    writeFileSync(join(root, LEDGER), `${JSON.stringify(ledgerLineOf(rowOf(imported), 2000))}\n`);
    write(root, imported);
    await (await openIndex(root)).close();
    expect(existsSync(fileOf(root, 'a'))).toBe(stays);
  },
);

test.each<[string, Partial<Trajectory>]>([
  ['created', { endedAt: 2001 }],
  ['imported', { endedAt: 1000, provenance: { kind: 'imported', from: 'x', at: 2001 } }],
])('a trajectory that was %s again after its deletion stays', async (_, about) => {
  const root = folder();
  const line = ledgerLineOf(rowOf(trajectory('a')), 2000);
  writeFileSync(join(root, LEDGER), `${JSON.stringify(line)}\n`);
  const again = trajectory('a', about);
  write(root, again);
  for (let start = 0; start < 2; start++) {
    const catalogue = await openIndex(root);
    expect(await catalogue.queries.row(again.id)).toEqual(rowOf(again));
    expect(existsSync(fileOf(root, 'a'))).toBe(true);
    await catalogue.close();
    loseIndex(root);
  }
});

test('a journal that became shorter is read from its start', async () => {
  const root = folder();
  const mark = (text: string) =>
    `${JSON.stringify(markOf({ kind: 'note', text }, trajectoryId('a'), 'ada', 1))}\n`;
  write(root, trajectory('a'));
  writeFileSync(join(root, MARKS), mark('the first') + mark('the second'));
  await (await openIndex(root)).close();
  writeFileSync(join(root, MARKS), mark('another'));
  const { caughtUp, queries } = await openIndex(root);
  expect(caughtUp.read).toBe(1);
  expect((await queries.row(trajectoryId('a')))?.note).toBe('another');
});

test('a catalogue that reads many files reports progress with each, so that its thread can send heartbeats', async () => {
  const root = folder();
  for (const id of ['a', 'b', 'c']) write(root, trajectory(id));
  let steps = 0;
  await openIndex(root, () => {
    steps += 1;
  });
  expect(steps).toBeGreaterThanOrEqual(3);
});

test('a catalogue that reads a long ledger reports progress with each line, so that its thread can send heartbeats', async () => {
  const root = folder();
  const stepsOfOpening = async () => {
    let steps = 0;
    const catalogue = await openIndex(root, () => {
      steps += 1;
    });
    await catalogue.close();
    return steps;
  };
  await stepsOfOpening();
  const lines = ['a', 'b', 'c', 'd', 'e'].map(id => ledgerLineOf(rowOf(trajectory(id)), 2000));
  writeFileSync(join(root, LEDGER), lines.map(line => `${JSON.stringify(line)}\n`).join(''));
  expect(await stepsOfOpening()).toBeGreaterThanOrEqual(lines.length);
  // For a new file the whole ledger is read again.
  write(root, trajectory('new'));
  expect(await stepsOfOpening()).toBeGreaterThanOrEqual(lines.length);
});

test('an unfinished file that cannot be removed is reported', async () => {
  const root = folder();
  write(root, trajectory('a'));
  // A folder is not removed as a file.
  const unfinished = `${fileOf(root, 'b')}.1.unfinished`;
  mkdirSync(unfinished, { recursive: true });
  utimesSync(unfinished, 0, 0);
  const { caughtUp } = await openIndex(root);
  const message = expect.stringMatching(
    /^The unfinished file '.*b\.zip\.1\.unfinished' cannot be removed \(.+\)\. Nothing reads it: delete it by hand\.$/,
  );
  expect(caughtUp).toEqual({ read: 1, complaints: [message] });
});

test('damaged, misplaced and unfinished files are skipped, with a remedy in the message', async () => {
  const root = folder();
  for (const id of ['a', 'b', 'c']) write(root, trajectory(id));
  writeFileSync(fileOf(root, 'b'), readFileSync(fileOf(root, 'b')).subarray(0, 100));
  const unfinished = `${fileOf(root, 'd')}.1.unfinished`;
  mkdirSync(dirname(unfinished), { recursive: true });
  writeFileSync(unfinished, 'half');
  utimesSync(unfinished, 0, 0);
  const underWay = `${fileOf(root, 'e')}.1.unfinished`;
  mkdirSync(dirname(underWay), { recursive: true });
  writeFileSync(underWay, 'half');
  const elsewhere = fileOf(root, 'c', runId('renamed'));
  mkdirSync(dirname(elsewhere), { recursive: true });
  writeFileSync(elsewhere, readFileSync(fileOf(root, 'c')));
  rmSync(fileOf(root, 'c'));
  const { caughtUp } = await openIndex(root);
  expect(caughtUp.read).toBe(1);
  expect([...caughtUp.complaints].sort()).toEqual([
    expect.stringMatching(/b\.zip' .*Restore it from a copy, or delete it/),
    expect.stringMatching(/'renamed.*c\.zip' is in the wrong folder\. Move it to 'run-1.*c\.zip'/),
  ]);
  expect(() => readFileSync(unfinished)).toThrow('ENOENT');
  // This process may be writing it.
  expect(existsSync(underWay)).toBe(true);
});
