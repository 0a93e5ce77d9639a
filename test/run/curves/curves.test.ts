// The files of a run for other programs: CSV tables and TensorBoard events.

import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { crc32c } from '../../../runtime/core/crc.ts';
import { type Disk, nodeDisk } from '../../../runtime/core/disk.ts';
import { runState } from '../../../runtime/protocol/daemon/state.ts';
import { CsvFile } from '../../../runtime/run/curves/csv.ts';
import { CurveFiles } from '../../../runtime/run/curves/curve-files.ts';
import { metricsOf } from '../../../runtime/run/curves/metrics.ts';
import { pictureOf } from '../../../runtime/run/curves/picture.ts';
import { EventFile } from '../../../runtime/run/curves/tensorboard.ts';
import { castagnoli, readEvents } from './event-reader.ts';
import { pointAt, stateAt, take } from './states.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dartboard-curves-'));
});
afterEach(() => rm(folder, { recursive: true }));

const NOW = 1_700_000_100_500;

describe('event files', () => {
  test('the checksum is CRC-32C', () => {
    expect(crc32c(new TextEncoder().encode('123456789'))).toBe(0xe3069283);
    fc.assert(
      fc.property(fc.uint8Array(), bytes => {
        expect(crc32c(bytes)).toBe(castagnoli(bytes));
      }),
    );
  });

  test('a reader finds the version first, then every number under its name', async () => {
    const events = await EventFile.create(folder, NOW);
    await events.append(NOW + 1000, 0, { 'success/test': 0.5 });
    await events.append(NOW + 2000, 300, { 'actor/entropy': 0.25, 'actor/ppo_kl': -2 });
    await events.close();
    const { events: read, rest } = readEvents(await readFile(events.path));
    expect(rest).toBe(0);
    expect(read).toEqual([
      { seconds: NOW / 1000, step: 0, version: 'brain.Event:2', scalars: {} },
      { seconds: NOW / 1000 + 1, step: 0, version: undefined, scalars: { 'success/test': 0.5 } },
      {
        seconds: NOW / 1000 + 2,
        step: 300,
        version: undefined,
        scalars: { 'actor/entropy': 0.25, 'actor/ppo_kl': -2 },
      },
    ]);
    expect((await readdir(folder))[0]).toMatch(/^events\.out\.tfevents\.1700000100\./);
  });

  test('any numbers and names come back as 32-bit floats', async () => {
    const name = fc.string({ unit: 'grapheme', minLength: 1 }).filter(text => text !== '__proto__');
    const numbers = fc.dictionary(name, fc.float({ noNaN: true, noDefaultInfinity: true }), { minKeys: 1 });
    await fc.assert(
      fc.asyncProperty(numbers, fc.nat({ max: 2 ** 40 }), async (scalars, step) => {
        const events = await EventFile.create(folder, NOW);
        await events.append(NOW, step, scalars);
        await events.close();
        const [, read] = readEvents(await readFile(events.path)).events;
        expect(read).toMatchObject({ step });
        expect(read?.scalars).toEqual({ ...scalars });
      }),
      { numRuns: 30 },
    );
  });

  test('non-finite numbers are left out, and a record of such numbers alone is not written', async () => {
    const events = await EventFile.create(folder, NOW);
    await events.append(NOW, 1, { a: Number.NaN, b: 1 });
    await events.append(NOW, 2, { a: Number.POSITIVE_INFINITY });
    await events.close();
    const { events: read } = readEvents(await readFile(events.path));
    expect(read.map(({ scalars }) => scalars)).toEqual([{}, { b: 1 }]);
  });

  test('cut off anywhere, all records before the cut are whole; damage is noticed', async () => {
    const events = await EventFile.create(folder, NOW);
    for (const step of [1, 2, 3]) await events.append(NOW, step, { a: step });
    await events.close();
    const file = await readFile(events.path);
    for (let length = 0; length <= file.length; length++) {
      const { events: read, rest } = readEvents(file.subarray(0, length));
      expect(read.length === 4).toBe(length === file.length);
      expect(read.length === 0 || read[0]?.version !== undefined).toBe(true);
      expect(rest).toBeLessThan(80);
    }
    file.writeUInt8(file.readUInt8(20) ^ 1, 20);
    expect(() => readEvents(file)).toThrow('checksum of the data');
  });

  test('two starts within a second write to different files', async () => {
    const lives = [await EventFile.create(folder, NOW), await EventFile.create(folder, NOW)];
    for (const life of lives) await life.close();
    expect(await readdir(folder)).toHaveLength(2);
  });
});

describe('tables', () => {
  const path = () => join(folder, 'table.csv');
  const text = () => readFile(path(), 'utf8');

  test('a late column is appended to every row', async () => {
    const csv = await CsvFile.open(path(), ['seconds']);
    await csv.append({ seconds: 1 });
    await csv.append({ seconds: 2, 'actor/entropy': 0.5 });
    await csv.append({ 'actor/entropy': 0.25, seconds: 3 });
    await csv.append({ seconds: 4 });
    expect(await text()).toBe('seconds,actor/entropy\n1,\n2,0.5\n3,0.25\n4,\n');
  });

  test('a reopened file continues after its last complete row', async () => {
    const first = await CsvFile.open(path(), ['a', 'b']);
    await first.append({ a: 1, b: 2 });
    await appendFile(path(), '3,');
    const again = await CsvFile.open(path(), ['a', 'b']);
    expect(again.rows).toBe(1);
    await again.append({ a: 5, b: 6 });
    expect(await text()).toBe('a,b\n1,2\n5,6\n');
  });

  test('a file with an incomplete header starts again', async () => {
    await writeFile(path(), 'a,');
    const csv = await CsvFile.open(path(), ['a', 'b']);
    await csv.append({ a: 1, b: 2 });
    expect(await text()).toBe('a,b\n1,2\n');
  });

  test('commas, quotes and line breaks stay within their field, and a non-finite number is empty', async () => {
    const csv = await CsvFile.open(path(), ['a,"b"', 'c']);
    await csv.append({ 'a,"b"': 'x,\n"y"', c: Number.NaN });
    const again = await CsvFile.open(path(), ['a,"b"', 'c', 'd']);
    expect(again.rows).toBe(1);
    expect(await text()).toBe('"a,""b""",c,d\n"x, ""y""",,\n');
  });
});

describe('the files of a run', () => {
  const lines = async (name: string) => (await readFile(join(folder, name), 'utf8')).trimEnd().split('\n');
  const points = [pointAt(10, 0.25), pointAt(20, 0.5, 'train'), pointAt(30, 0.75)] as const;

  async function events() {
    const names = (await readdir(join(folder, 'tensorboard'))).sort();
    const files = await Promise.all(names.map(name => readFile(join(folder, 'tensorboard', name))));
    return files.flatMap(file => readEvents(file).events);
  }

  test('each evaluation is written once, also after a resume', async () => {
    const first = await CurveFiles.open(folder, NOW);
    await take(first, stateAt(10, points.slice(0, 1)), NOW);
    await take(first, stateAt(21, points.slice(0, 2)), NOW);
    await first.close();
    const second = await CurveFiles.open(folder, NOW + 60_000);
    await take(second, stateAt(30, points), NOW + 60_000);
    await second.close();
    expect(await lines('curve.csv')).toEqual([
      'seconds,steps,split,version,successes,trials,rate,low,high,score,broken',
      '10,1000,test,10,12,48,0.25,0.125,0.625,0.625,1',
      '20,2000,train,20,24,48,0.5,0.25,0.75,0.75,1',
      '30,3000,test,30,36,48,0.75,0.375,0.875,0.875,1',
    ]);
    const measured = (await events()).flatMap(({ step, scalars }) => {
      const { 'success/test': test, 'score/test': score } = scalars;
      return test === undefined ? [] : [[step, test, score]];
    });
    expect(measured).toEqual([
      [10, 0.25, 0.625],
      [30, 0.75, 0.875],
    ]);
  });

  test('evaluations after the saved state are replaced when the run resumes', async () => {
    const first = await CurveFiles.open(folder, NOW);
    await take(first, stateAt(30, points), NOW);
    await first.close();
    // Killed, before the state that the next life begins with was kept.
    const again = { ...pointAt(28, 0.25), seconds: 28 };
    const second = await CurveFiles.open(folder, NOW + 60_000, 1);
    await take(second, stateAt(28, [points[0], again]), NOW + 60_000);
    await second.close();
    expect((await lines('curve.csv')).slice(1).map(row => row.split(',')[0])).toEqual(['10', '28']);
    const third = await CurveFiles.open(folder, NOW + 90_000, 0);
    await third.close();
    expect(await lines('curve.csv')).toHaveLength(1);
  });

  test('a resumed run with a thinned curve adds its new evaluations alone, each once', async () => {
    const first = await CurveFiles.open(folder, NOW);
    await take(first, stateAt(30, points), NOW);
    await first.close();
    const second = await CurveFiles.open(folder, NOW + 60_000, 3);
    const added = [pointAt(40, 0.75), pointAt(50, 1)];
    // The state shows fewer points than were measured.
    for (const count of [1, 2, 2])
      await second.take(stateAt(60, [points[0], ...added.slice(0, count)]), NOW + 60_000, {
        ...{ before: 3, points: added.slice(0, count) },
      });
    await second.close();
    const seconds = (await lines('curve.csv')).slice(1).map(row => row.split(',')[0]);
    expect(seconds).toEqual(['10', '20', '30', '40', '50']);
    const charted = (await events()).flatMap(({ step, scalars }) =>
      'success/test' in scalars ? [step] : [],
    );
    expect(charted).toEqual([10, 30, 40, 50]);
  });

  test.each([
    ['docker', 'Docker desktops, tier 1<'],
    ['web', 'Web desktops, tier 1<'],
    [undefined, 'Pocket desktop, tier 1<'],
  ] as const)('the picture names desktops of the kind %s', (desktops, title) => {
    const state = stateAt(30, points);
    expect(pictureOf({ ...state, about: { ...state.about, desktops } })).toContain(title);
  });

  test('the picture contains all evaluations, also those before a resume, and the last values', async () => {
    const picture = () => readFile(join(folder, 'curve.svg'), 'utf8');
    const first = await CurveFiles.open(folder, NOW);
    await take(first, stateAt(5, []), NOW);
    await expect(picture()).rejects.toThrow('ENOENT');
    await take(first, stateAt(10, points.slice(0, 1)), NOW);
    expect(await picture()).toContain('25 %, 12 of 48');
    await first.close();
    const second = await CurveFiles.open(folder, NOW + 60_000);
    await take(second, stateAt(30, points), NOW + 60_000);
    await second.close();
    expect(await picture()).toBe(pictureOf(stateAt(30, points)));
    expect(await picture()).toContain('Pocket desktop, tier 1<');
    expect(await picture()).toContain('12 tasks · screenshot_a11y_tree · scratch · seed a · band: 95 %');
    for (const last of ['75 %, 36 of 48', '50 %, 24 of 48']) expect(await picture()).toContain(last);
    // Nothing half written is beside it.
    expect((await readdir(folder)).sort()).toEqual(['curve.csv', 'curve.svg', 'metrics.csv', 'tensorboard']);
  });

  test('an evaluation has the time at which it ended', async () => {
    const files = await CurveFiles.open(folder, NOW);
    await take(files, stateAt(40, points.slice(2)), NOW);
    await files.close();
    const point = (await events()).find(({ scalars }) => 'success/test' in scalars);
    expect(point?.seconds).toBe(NOW / 1000 - 10);
  });

  test('metrics are rows over time, and equal in both files', async () => {
    const files = await CurveFiles.open(folder, NOW);
    await Promise.all([
      take(files, stateAt(1, []), NOW),
      take(files, stateAt(2, [], { 'actor/entropy': 0.5 }), NOW + 1000),
    ]);
    await files.close();
    const [head = '', ...rows] = (await lines('metrics.csv')).map(row => row.split(','));
    expect(rows.map(([seconds]) => seconds)).toEqual(['1', '2']);
    expect(rows.map(row => row[head.indexOf('actor/entropy')])).toEqual(['', '0.5']);
    const last = (await events()).at(-1);
    expect(last?.step).toBe(8);
    for (const [name, value] of Object.entries(last?.scalars ?? {})) {
      expect(Number(rows[1]?.[head.indexOf(name)])).toBeCloseTo(value, 6);
    }
  });

  test('rows of metrics become rarer in a long run, stop in a pause, and one has the end', async () => {
    const files = await CurveFiles.open(folder, NOW);
    const day = 86_400;
    const taken = [1, 2, 3, 3, 3, day, day + 1, day + 20, day + 24, day + 25, day + 25.2];
    for (const seconds of taken) await take(files, stateAt(seconds, []), NOW);
    await take(files, { ...stateAt(day + 26, []), status: 'ended' }, NOW);
    await files.close();
    const rows = (await lines('metrics.csv')).slice(1).map(row => Number(row.split(',')[0]));
    expect(rows).toEqual([1, 2, 3, day, day + 25, day + 26]);
  });

  test('the names are those of the field', () => {
    const metrics = metricsOf(stateAt(1, [], { 'actor/ppo_kl': 0.1, 'off_policy/dropped': 1 }));
    expect(metrics).toMatchObject({
      'env/occupancy': 0.75,
      'rollout/idle_ratio': 0.75,
      'trainer/idle_ratio': 0.125,
      'queue/depth/batches': 3,
      'actor/ppo_kl': 0.1,
      // Those that are too old. The ledger also drops those that a restart loses.
      'off_policy/dropped': 1,
      'data/dropped': 2,
    });
    expect(() => runState.parse(stateAt(1, points))).not.toThrow();
  });

  test('totals of the run replace events that count since the start of a host', () => {
    const state = stateAt(1, [], { 'rollout/episodes': 1, 'env/broken': 0.25 });
    const { environments, rollout } = state;
    expect(metricsOf(state)).toMatchObject({
      ...{ 'rollout/episodes': rollout.episodes, 'env/broken': environments.broken },
    });
    expect(rollout.episodes).not.toBe(1);
  });

  test('a failed write rejects, and the next one is tried', async () => {
    const files = await CurveFiles.open(folder, NOW);
    await rm(join(folder, 'metrics.csv'));
    await take(files, stateAt(1, []), NOW);
    await rm(folder, { recursive: true });
    await expect(take(files, stateAt(2, []), NOW)).rejects.toThrow('ENOENT');
    await files.close();
    folder = await mkdtemp(join(tmpdir(), 'dartboard-curves-'));
  });

  test.each([
    ['a half of a row or record is written', 0.5, false],
    ['it is written but not synced', 1, false],
    ['half of it is written and a column is new', 0.5, true],
  ])('after failed writes each row and record is whole and exists once: %s', async (_, part, isWider) => {
    const { disk, failNext } = failingDisk(part);
    const files = await CurveFiles.open(folder, NOW, undefined, disk);
    let seconds = 0;
    for (const failing of ['curve.csv', 'tfevents', 'metrics.csv']) {
      seconds += 10;
      const known = points.slice(0, seconds / 10);
      const metrics = isWider ? { [`a${seconds}`]: 1 } : {};
      failNext(failing);
      await expect(take(files, stateAt(seconds, known), NOW)).rejects.toThrow('ENOSPC');
      await take(files, stateAt(seconds + 1, known, metrics), NOW);
    }
    await files.close();
    expect((await lines('curve.csv')).slice(1).map(row => row.split(',')[0])).toEqual(['10', '20', '30']);
    const [head, ...rows] = (await lines('metrics.csv')).map(row => row.split(','));
    expect(rows.map(row => row[0])).toEqual(['11', '21', '31']);
    expect(new Set(rows.map(row => row.length))).toEqual(new Set([head?.length]));
    const evaluated = (await events()).filter(({ scalars }) =>
      Object.keys(scalars).some(name => name.startsWith('success/')),
    );
    expect(evaluated.map(({ step }) => step)).toEqual([10, 20, 30]);
  });
});

/** The real disk. After `failNext`, the next append to a file with this text in its name writes a part, and fails. */
function failingDisk(part: number) {
  let failing: string | undefined;
  const disk: Disk = {
    ...nodeDisk,
    open: async (path, flags, mode) => {
      const file = await nodeDisk.open(path, flags, mode);
      return {
        size: () => file.size(),
        read: (length, at) => file.read(length, at),
        truncate: length => file.truncate(length),
        sync: () => file.sync(),
        close: () => file.close(),
        append: async bytes => {
          const fails = failing !== undefined && path.includes(failing);
          await file.append(fails ? bytes.subarray(0, Math.ceil(part * bytes.length)) : bytes);
          if (!fails) return;
          failing = undefined;
          throw new Error('ENOSPC');
        },
      };
    },
  };
  const failNext = (name: string) => {
    failing = name;
  };
  return { disk, failNext };
}
