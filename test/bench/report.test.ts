// The outcome of a benchmark, and the parts that an interrupted run leaves.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Benchmark, Report, type ReportOptions } from '../../runtime/bench/report.ts';
import { readOutcomes } from '../../runtime/bench/results/outcome.ts';
import { temporaryFolder } from '../temporary.ts';

const RESULT = { figures: { speed: 2 }, config: { size: 3 }, versions: { node: 'v20' } };

function bench(settings: object = { seeds: 1 }, folder = temporaryFolder('bench')) {
  let now = Date.UTC(2026, 0, 2);
  const measured: string[] = [];
  const start = (options: Partial<ReportOptions> = {}, about: Partial<Benchmark> = {}) =>
    new Report(
      { name: 'one', ...about },
      {
        ...{ folder, settings, quiet: true, fresh: false, build: 'aaa', now: () => now },
        ...{ machine: { cores: 2 }, versions: {}, ...options },
      },
    );
  const part = (report: Report, name: string) =>
    report.part(name, 3, async () => {
      now += 10_000;
      measured.push(name);
      return { name };
    });
  return { folder, start, part, measured, wait: (days: number) => (now += days * 86_400_000) };
}

const kept = (folder: string) => readdirSync(join(folder, 'unfinished'));

test('an interrupted run reuses its finished parts, even days later', async () => {
  const { start, part, measured, folder, wait } = bench();
  await part(start(), 'first');
  wait(3);
  const again = start();
  expect(await part(again, 'first')).toEqual({ name: 'first' });
  await part(again, 'second');
  expect(measured).toEqual(['first', 'second']);
  expect(again.finish(RESULT, 1)).toMatchObject({ seconds: 20, date: '2026-01-05T00:00:20Z' });
  expect(kept(folder)).toEqual([]);
});

test('parts are reused only with equal settings and on an equal machine', async () => {
  const { start, part, measured, folder } = bench();
  await part(start(), 'first');
  await part(start({ settings: { seeds: 2 } }), 'first');
  await part(start({ machine: { cores: 4 } }), 'first');
  expect(measured).toHaveLength(3);
  expect(kept(folder)).toHaveLength(3);
  await part(start(), 'first');
  expect(measured).toHaveLength(3);
});

test('a speed-independent benchmark reuses parts of another machine, and the outcome lists both', async () => {
  const { start, part, measured, folder } = bench();
  const on = (processor: string) => start({ machine: { cores: 2, processor } }, { isSpeedIndependent: true });
  await part(on('A'), 'first');
  const other = on('B');
  await part(other, 'first');
  await part(other, 'second');
  expect(measured).toEqual(['first', 'second']);
  expect(other.finish(RESULT, 1)).toMatchObject({ machine: { processor: 'B' }, processors: ['B', 'A'] });
  expect((await readOutcomes(folder)).outcomes[0]).toHaveProperty('processors');
  const alone = on('B');
  await part(alone, 'first');
  expect(alone.finish(RESULT, 1)).not.toHaveProperty('processors');
});

test('a benchmark that adds seeds keeps its parts for later runs, also on another machine', async () => {
  const { start, part, measured, folder } = bench({});
  const on = (processor: string) => start({ machine: { cores: 2, processor } }, { addsSeeds: true });
  const first = on('A');
  await part(first, 'seed 0');
  expect(first.finish(RESULT, 1)).not.toHaveProperty('processors');
  const more = on('B');
  expect([more.has('seed 0'), more.has('seed 1')]).toEqual([true, false]);
  await part(more, 'seed 0');
  await part(more, 'seed 1');
  expect(measured).toEqual(['seed 0', 'seed 1']);
  expect(more.finish(RESULT, 2)).toMatchObject({ seconds: 20, processors: ['B', 'A'] });
  expect(readdirSync(join(folder, 'parts'))).toHaveLength(1);
});

test('an outcome of more seeds is not replaced unless everything is measured again', () => {
  const { start } = bench({});
  const seeded = (settings: object = {}) => start(settings, { addsSeeds: true });
  seeded().requireSeeds(3);
  seeded().finish(RESULT, 3);
  seeded().requireSeeds(3);
  expect(() => seeded().requireSeeds(2)).toThrow(/the results of 3 seeds.*Give --seeds 3 or more/);
  seeded({ fresh: true }).requireSeeds(2);
  start().requireSeeds(2);
});

test('--fresh discards finished parts', async () => {
  const { start, part, measured } = bench();
  await part(start(), 'first');
  await part(start({ fresh: true }), 'first');
  expect(measured).toEqual(['first', 'first']);
});

test('parts of another build are reused, and the outcome lists both', async () => {
  const { start, part } = bench();
  await part(start(), 'first');
  const other = start({ build: 'bbb' });
  await part(other, 'first');
  expect(other.finish(RESULT, 1).builds).toEqual(['bbb', 'aaa']);
  const alone = start();
  await part(alone, 'first');
  expect(alone.finish(RESULT, 1).builds).toBeUndefined();
});

test('the outcome file can be read; values that are not finite are left out', async () => {
  const { start, folder } = bench();
  const series = {
    'curve/a': [
      { x: 1, y: 2, low: Number.NaN },
      { x: 2, y: Number.NaN },
    ],
  };
  const outcome = start().finish(
    { ...RESULT, figures: { speed: 2, share: Number.NaN }, series, certainty: { speed: { low: 1 } } },
    4,
  );
  expect((await readOutcomes(folder)).outcomes).toEqual([outcome]);
  expect(outcome).toMatchObject({ bench: 'one', figures: { speed: 2 }, seeds: 4, machine: { cores: 2 } });
  expect(outcome.series).toEqual({ 'curve/a': [{ x: 1, y: 2 }] });
  expect(outcome.figures).not.toHaveProperty('share');
});

test('unreadable parts are an error that names the file, and are not removed', async () => {
  const { start, part, folder } = bench();
  await part(start(), 'first');
  const [file = ''] = kept(folder);
  writeFileSync(join(folder, 'unfinished', file), '{');
  expect(() => start()).toThrow(file);
  expect(readFileSync(join(folder, 'unfinished', file), 'utf8')).toBe('{');
});

test('a figure that is no number is named in the outcome', () => {
  const { start, folder } = bench();
  const { figures, withoutNumber } = start({ command: 'one --seeds 3' }).finish(
    { ...RESULT, figures: { steps: Number.POSITIVE_INFINITY, speed: 2 } },
    3,
  );
  expect({ figures, withoutNumber }).toEqual({ figures: { speed: 2 }, withoutNumber: ['steps'] });
  expect(JSON.parse(readFileSync(join(folder, 'one.json'), 'utf8'))).toMatchObject({
    ...{ withoutNumber: ['steps'], command: 'one --seeds 3' },
  });
});

test('the command of an outcome names its arms, unless it has all of them', () => {
  const commandOf = (arms: unknown) =>
    bench()
      .start({ command: 'one --seeds 2' }, { arms: ['a', 'b', 'c'] })
      .finish({ ...RESULT, config: { arms } }, 2).command;
  expect(commandOf(['c', 'a'])).toBe('one --seeds 2 --arms a,c');
  expect(commandOf(['a', 'b', 'c'])).toBe('one --seeds 2');
  expect(commandOf(undefined)).toBe('one --seeds 2');
});
