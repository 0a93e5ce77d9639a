// An import as a whole: it stores each trajectory completely or not at all, and can be repeated.

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Seed, seed, taskId, trajectoryId } from '../../runtime/core/ids.ts';
import type { Trajectory } from '../../runtime/core/trajectory.ts';
import { NO_TRAJECTORIES } from '../../runtime/environments/offline/suite.ts';
import { writeAgentNet } from '../../runtime/formats/agentnet/write.ts';
import { writeOsworld } from '../../runtime/formats/osworld/write.ts';
import { openSource } from '../../runtime/formats/source/open.ts';
import { whyUntrained } from '../../runtime/formats/training-use.ts';
import { temporaryFolder } from '../temporary.ts';
import { episode } from './arbitraries.ts';
import { filesOf, imported, MemoryStore, memorySource, POCKET_PLACE } from './sources.ts';

test('after a crash at any trajectory, a second import completes the first and doubles nothing', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(episode(), {
        selector: ({ trajectory }) =>
          `${trajectory.instance.task} ${trajectory.instance.seed} ${trajectory.instruction}`,
        minLength: 1,
        maxLength: 4,
      }),
      fc.nat(3),
      async (episodes, at) => {
        const source = memorySource(
          episodes.flatMap(({ trajectory, pictures, screen }, index) =>
            filesOf(writeAgentNet(trajectory, pictures, { screen, domainOf: () => 'x' })).map(file => ({
              ...file,
              place: `${index}/${file.place}`,
            })),
          ),
        );
        const store = new MemoryStore();
        let added = 0;
        const crashing = {
          has: store.has.bind(store),
          async add(trajectory: Trajectory): Promise<void> {
            if (added === at) throw new TypeError('the disk is gone');
            added += 1;
            await store.add(trajectory);
          },
        };
        // Another error than that of a file ends the import: nothing is skipped because of a broken disk.
        const first = imported(source, { store: crashing });
        if (at < episodes.length) await expect(first).rejects.toThrow('the disk is gone');
        else await first;
        const before = store.stored.size;
        expect(before).toBe(Math.min(at, episodes.length));
        const { report } = await imported(source, { store });
        expect(report.counts).toMatchObject({ stored: episodes.length - before, known: before, skipped: 0 });
        expect((await imported(source, { store })).report.counts).toMatchObject({
          stored: 0,
          known: episodes.length,
        });
      },
    ),
    { numRuns: 40 },
  );
});

test.each([
  ['osworld', writeOsworld(new Set())],
  ['agentnet', writeAgentNet],
] as const)('rollouts with the same actions stay apart, and are recognised: %s', async (_, write) => {
  const [sample] = fc.sample(episode(), { numRuns: 1, seed: 5 });
  if (sample === undefined) throw new Error('no sample');
  const { trajectory, pictures, screen } = sample;
  const source = memorySource(
    ['first', 'second'].flatMap(id =>
      filesOf(write({ ...trajectory, id: trajectoryId(id) }, pictures, { screen, domainOf: () => 'x' })).map(
        file => ({ ...file, place: `${id}/${file.place}` }),
      ),
    ),
  );
  const store = new MemoryStore();
  const counts = async () => (await imported(source, { store })).report.counts;
  expect(await counts()).toMatchObject({ stored: 2, known: 0, skipped: 0 });
  expect(await counts()).toMatchObject({ stored: 0, known: 2, skipped: 0 });
});

test('an import that is ended keeps what it has stored', async () => {
  const [one, two] = fc.sample(episode(), { numRuns: 2, seed: 3 });
  if (one === undefined || two === undefined) throw new Error('no samples');
  const text = [one, two]
    .flatMap(({ trajectory, screen }) => writeAgentNet(trajectory, [], { screen, domainOf: () => 'x' }).lines)
    .map(line => line.text)
    .join('\n');
  const store = new MemoryStore();
  const ending = new AbortController();
  const stopping = {
    has: store.has.bind(store),
    async add(trajectory: Trajectory) {
      await store.add(trajectory);
      ending.abort(new Error('ended'));
    },
  };
  const source = memorySource([{ place: 'a.jsonl', bytes: new TextEncoder().encode(text) }]);
  await expect(imported(source, { store: stopping, signal: ending.signal })).rejects.toThrow('ended');
  expect(store.stored.size).toBe(1);
});

test('a file that disappears during an import is skipped, and the others are stored', async () => {
  const root = temporaryFolder('vanishing');
  for (const [index, { trajectory, screen }] of fc.sample(episode(), { numRuns: 2, seed: 3 }).entries()) {
    const [line] = writeAgentNet(trajectory, [], { screen, domainOf: () => 'x' }).lines;
    writeFileSync(join(root, `${index}.jsonl`), line?.text ?? '');
  }
  const source = await openSource(root);
  rmSync(join(root, '0.jsonl'));
  const { report } = await imported(source);
  expect(report.counts).toMatchObject({ stored: 1, skipped: 1 });
  expect(report.skipped).toEqual([
    {
      file: '0.jsonl',
      why: expect.stringMatching(/^Cannot read the file '0\.jsonl': it does not exist any/),
    },
  ]);
});

const base: Trajectory = {
  ...(fc.sample(episode(), { numRuns: 1, seed: 5 })[0]?.trajectory as Trajectory),
  instance: { task: taskId('notes-save-as'), seed: seed(1) },
  purpose: 'collect',
  outcome: { kind: 'judged', ending: 'finished', verdict: { score: 1, why: '' } },
};
const failed = { kind: 'judged', ending: 'capped', verdict: { score: 0.25, why: '' } } as const;
const broken = { kind: 'broken', failure: { boundary: 'task', thing: 'x', message: 'y' } } as const;
const screen = { width: 320, height: 240 };
const ONE_STEP: Partial<Trajectory> = {
  ...{ instruction: 'Save it.', steps: [{ action: { kind: 'click', at: { x: 1, y: 1 } }, meant: [] }] },
};

test.each<
  readonly [
    string,
    Partial<Trajectory>,
    Partial<typeof POCKET_PLACE>,
    typeof screen | undefined,
    RegExp | undefined,
  ]
>([
  ['a success on the own desktop', {}, {}, screen, undefined],
  ['a success without pictures', {}, {}, undefined, undefined],
  ['an evaluation', { purpose: 'evaluate' }, {}, screen, /^It is an episode of an evaluation/],
  ['a failure', { outcome: failed }, {}, screen, /^Its score is 0\.25, and only successes teach\./],
  ['no score', { outcome: broken }, {}, screen, /^It has no score\./],
  [
    'an unknown task',
    { instance: { task: taskId('x'), seed: seed(1) } },
    {},
    screen,
    /have no task of this name\. Set 'environments\.kind'/,
  ],
  [
    'a test instance',
    { instance: { task: taskId('notes-save-as'), seed: seed(1000) } },
    {},
    screen,
    /seed 1000\) is reserved for tests/,
  ],
  [
    'another screen',
    {},
    {},
    { width: 1920, height: 1080 },
    /^Its screen has 1920 × 1080 pixels, and desktops of kind 'pocket' have 320 × 240/,
  ],
  [
    'desktops that repeat nothing',
    {},
    { screen: undefined, kind: 'docker' },
    screen,
    /cannot play an episode again/,
  ],
  [
    'stored trajectories, with pictures before each step',
    { ...ONE_STEP, frames: { kind: 'png', images: [new Uint8Array(1)] } },
    { kind: 'offline', agent: 'tars', screen: undefined },
    undefined,
    undefined,
  ],
  [
    'stored trajectories, without pictures',
    { ...ONE_STEP, frames: { kind: 'png', images: [] } },
    { kind: 'offline', screen: undefined },
    undefined,
    /^The picture before step 1 is missing/,
  ],
  ['a model agent', {}, { agent: 'tars' }, screen, /^The agent 'tars' does not learn from the success pool/],
])('whether runs learn from it is said: %s', (_, changes, place, size, why) => {
  const found = whyUntrained({ ...base, ...changes }, size, { ...POCKET_PLACE, ...place });
  if (why === undefined) expect(found).toBeUndefined();
  else expect(found).toMatch(why);
});

const line = (task: string, seedOfLine: number) =>
  JSON.stringify({
    ...{ task_id: task, instruction: 'x', traj: [{ value: { code: 'computer.wait()' } }] },
    dartboard: {
      seed: seedOfLine,
      purpose: 'collect',
      mode: 'screenshot',
      startedAt: 0,
      endedAt: 0,
      score: 1,
    },
  });

test('an episode of an instance that cannot be made ends no import, and never trains', async () => {
  const task = (id: string, number: Seed) => {
    if (number === seed(2)) throw new RangeError('{what.sign} has no value.');
    return POCKET_PLACE.suite.task(id, number);
  };
  const text = [1, 2, 3].map(each => line('notes-save-as', each)).join('\n');
  const { report, trajectories } = await imported(
    memorySource([{ place: 'a.jsonl', bytes: new TextEncoder().encode(text) }]),
    { place: { ...POCKET_PLACE, suite: { ...POCKET_PLACE.suite, task } } },
  );
  expect(trajectories.map(({ purpose }) => purpose)).toEqual(['collect', 'evaluate', 'collect']);
  expect(report.trajectories[1]?.untrained).toMatch(
    /seed 2\) cannot be made\. Import episodes of training instances\.$/,
  );
});

test('an episode of a test instance is an evaluation, so that the success pool refuses it', async () => {
  const text = [line('notes-save-as', 1), line('notes-save-as', 1000), line('elsewhere', 1000)].join('\n');
  const { trajectories } = await imported(
    memorySource([{ place: 'a.jsonl', bytes: new TextEncoder().encode(text) }]),
  );
  expect(trajectories.map(({ purpose }) => purpose)).toEqual(['collect', 'evaluate', 'collect']);
  // Also where stored trajectories train, whose suite has other names.
  const { trajectories: offline } = await imported(
    memorySource([{ place: 'a.jsonl', bytes: new TextEncoder().encode(text) }]),
    { place: { kind: 'offline', suite: NO_TRAJECTORIES, agent: 'compact', screen: undefined } },
  );
  expect(offline.map(({ purpose }) => purpose)).toEqual(['collect', 'evaluate', 'collect']);
});
