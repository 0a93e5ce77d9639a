// The trainer with a real engine: the same batches make the same weights, with a stop in between or without; and what it is shown
// becomes likelier.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OBJECTIVE } from '../../runtime/agents/compact/objective.ts';
import { assessingProgram } from '../../runtime/agents/compact/programs.ts';
import { sampleFrom } from '../../runtime/agents/compact/step-sample.ts';
import type { Batch, BatchStep } from '../../runtime/core/batch.ts';
import { desktopId, seed, taskId, trajectoryId } from '../../runtime/core/ids.ts';
import type { Lesson } from '../../runtime/core/lesson.ts';
import { seeded } from '../../runtime/core/rng.ts';
import { DurableFolder } from '../../runtime/data/files/durable.ts';
import { replayAsSamples } from '../../runtime/discovery/replay/replay-as-samples.ts';
import { PocketDesktop } from '../../runtime/environments/pocket/desktop.ts';
import { POCKET, solutionOf } from '../../runtime/environments/pocket/tasks/suite.ts';
import { WEIGHTS } from '../../runtime/graph/layout.ts';
import type { Program } from '../../runtime/graph/program.ts';
import type { Tensor } from '../../runtime/graph/tensor.ts';
import { decodeCheckpoint } from '../../runtime/trainer/checkpoint.ts';
import { CheckpointFolder } from '../../runtime/trainer/checkpoint-folder.ts';
import type { ProgramEngine } from '../../runtime/trainer/network-trainer.ts';
import { open, openWith, row, SHAPE, sampleFeeds, weightsOf } from '../agents/compact/running-policy.ts';
import { travelling } from '../agents/compact/steps.ts';
import { batchOf, folder, groupOf, type Ring, ring, StillClock, UPDATE } from './ring.ts';

const START = weightsOf('exact');

/** The scripted solution of a pocket task, as somebody shows it. */
async function shown(id: string, number: number): Promise<Lesson> {
  const task = POCKET.task(taskId(id), seed(number));
  const { actions, ending } = solutionOf(POCKET, task, seed(number));
  const last =
    ending === 'fail' ? { kind: 'fail' as const, why: '' } : { kind: 'finished' as const, answer: '' };
  const replayed = await replayAsSamples(
    new PocketDesktop(desktopId('shown')),
    { task, seed: seed(number), mode: 'a11y_tree' },
    [...actions, last],
  );
  if (replayed === undefined) throw new Error(`The solution of ${id} cannot be expressed.`);
  const steps = replayed.steps.map(({ sample, observation }) => travelling(observation, sample));
  return { sort: 'demonstrations', kind: id, steps };
}

const LESSONS = await Promise.all([1, 2, 3].map(number => shown('mail-star', number)));

/** Batches of the steps that were shown: some better than their group, some worse. */
const BATCHES: readonly Batch[] = [0, 1, 2, 3].map(number => {
  const steps = LESSONS.flatMap((lesson, at) =>
    lesson.steps.map(
      (step, index): BatchStep => ({
        ...step,
        trajectory: trajectoryId(`t${number}-${at}`),
        index,
        advantage: (at + number) % 3 === 0 ? 1.2 : -0.6,
        isSuccess: (at + number) % 3 === 0,
      }),
    ),
  );
  return batchOf(`b${number}`, [groupOf(`g${number}`, steps)]);
});

/** An engine on which each update takes the same time, and is told of. */
const metered = (clock: StillClock, updated: () => void): ProgramEngine => ({
  open: async (program: Program) => {
    const session = await open(program);
    return {
      run: feeds => {
        if (feeds['advantage'] !== undefined) {
          clock.time += UPDATE;
          updated();
        }
        return session.run(feeds);
      },
      read: () => session.read(),
      write: state => session.write(state),
      close: () => session.close(),
    };
  },
});

/** Learns from these, and stops with the last of the batches, or after so many updates. */
async function trained(
  checkpoints: string,
  {
    batches = [],
    lessons = [],
    most,
    divergence = 0,
  }: { batches?: readonly Batch[]; lessons?: readonly Lesson[]; most?: number; divergence?: number },
): Promise<Ring> {
  const clock = new StillClock(checkpoints.length);
  let updates = 0;
  const made = await ring({
    engine: metered(clock, () => {
      updates += 1;
      if (updates === most) made.stop.abort();
    }),
    clock,
    checkpoints,
    weights: START.data as Float32Array<ArrayBuffer>,
    random: seeded('exact'),
    recipe: {
      publishSeconds: 0,
      seconds: 10,
      renaming: 0.5,
      batch: 12,
      objective: { ...OBJECTIVE, divergence },
    },
  });
  for (const lesson of lessons) await made.fabric.lessons.put(lesson);
  for (const each of batches) await made.fabric.batches.put(each);
  const running = made.trainer.run(made.stop.signal);
  if (most === undefined) {
    await allTaken(made);
    made.stop.abort();
  }
  await running;
  return made;
}

/** Once the last batch is taken it may be told to stop: it finishes it. */
async function allTaken({ fabric, events }: Ring): Promise<void> {
  while ((await fabric.batches.depth()).waiting > 0) await new Promise(resolve => setImmediate(resolve));
  expect(events.filter(({ kind }) => kind === 'waiting')).toEqual([]);
}

async function lastCheckpoint(checkpoints: string): Promise<Buffer> {
  const numbers = (await readdir(checkpoints)).map(name => Number(/\d+/.exec(name)?.[0]));
  return readFile(join(checkpoints, `checkpoint-${Math.max(...numbers)}.safetensors`));
}

test('the same batches and the same weights make the same weights, bit for bit', async () => {
  const [one, other] = [await folder(), await folder()];
  for (const each of [one, other]) await trained(each, { batches: BATCHES.slice(0, 2) });
  const bytes = await lastCheckpoint(one);
  expect(bytes.equals(await lastCheckpoint(other))).toBe(true);
  const { state, updates } = decodeCheckpoint(bytes, 'one');
  expect(updates).toBeGreaterThan(4);
  expect(state[WEIGHTS]?.data.some((each, index) => each !== START.data[index])).toBe(true);
});

test.each([
  ['free', 0],
  ['held near to what it began with', 0.3],
])(
  'a training that was stopped and gone on with is the one that was not, bit for bit (%s)',
  async (_name, divergence) => {
    const [straight, parted] = [await folder(), await folder()];
    await trained(straight, { batches: BATCHES, divergence });
    for (const batches of [BATCHES.slice(0, 1), BATCHES.slice(1)])
      await trained(parted, { batches, divergence });
    const [bytes, others] = [await lastCheckpoint(straight), await lastCheckpoint(parted)];
    // Said apart, so that a failure says what differs.
    const [wanted, got] = [decodeCheckpoint(bytes, 'straight'), decodeCheckpoint(others, 'parted')];
    const { state: _, mean: _mean, ...counters } = wanted;
    expect(got).toMatchObject(counters);
    // Weights, their mean and moments too.
    expect(others.equals(bytes)).toBe(true);
  },
);

test('the next update depends on the stored moments', async () => {
  const [kept, other] = [await folder(), await folder()];
  await trained(kept, { batches: BATCHES.slice(0, 1) });
  const whole = decodeCheckpoint(await lastCheckpoint(kept), 'kept');
  const weights = async (checkpoints: string) => {
    await trained(checkpoints, { batches: BATCHES.slice(1, 2) });
    return decodeCheckpoint(await lastCheckpoint(checkpoints), 'after').state[WEIGHTS]?.data;
  };
  const nothing = new Float32Array(whole.mean.length);
  const forgotten = { dtype: 'float32', dims: [nothing.length], data: nothing } as const;
  await new CheckpointFolder(other).write(
    { ...whole, state: { ...whole.state, 'adam.mean': forgotten } },
    new DurableFolder(other),
  );
  const [after, without] = [await weights(kept), await weights(other)];
  expect(after?.some((each, index) => each !== without?.[index])).toBe(true);
});

test('a KL term keeps the policy nearer to its reference', async () => {
  const wentFar = async (divergence: number) => {
    const made = await trained(await folder(), { batches: BATCHES, divergence });
    return made.events.flatMap(each =>
      each.kind === 'metric' && each.name === 'actor/kl_loss' ? [each.value] : [],
    );
  };
  const [free, loosely, tightly] = [await wentFar(0), await wentFar(1e-6), await wentFar(3)];
  expect(free).toEqual([]);
  // Before the first update nothing lies between them.
  expect([loosely[0], tightly[0]]).toEqual([0, 0]);
  expect(tightly.at(-1)).toBeGreaterThan(0);
  expect(loosely.at(-1)).toBeGreaterThan(2 * (tightly.at(-1) ?? Number.NaN));
});

/** The logarithm of the probability of all that was shown. */
async function likely(weights: Tensor): Promise<number> {
  const samples = LESSONS.flatMap(({ steps }) => steps).map(each =>
    sampleFrom(each.observation, each.choice),
  );
  const session = await openWith(assessingProgram(SHAPE), weights);
  const assessed = await session.run(sampleFeeds(samples));
  await session.close();
  const all = samples.flatMap(({ used }, index) =>
    row(assessed, 'logProbability', index).map((each, slot) => each * (used[slot] ?? 0)),
  );
  return all.reduce((sum, each) => sum + each, 0) / samples.length;
}

test('imitated actions become likelier under the published weights and their mean', async () => {
  const made = await trained(await folder(), { lessons: LESSONS, most: 60 });
  const published = [made.versions.at(-1), made.means.at(-1)];
  const [before, after, smoothed] = await Promise.all([
    likely(START),
    ...published.map(weights => {
      const data = new Float32Array(weights?.blob.slice().buffer ?? new ArrayBuffer(0));
      return likely({ dtype: 'float32', dims: [data.length], data });
    }),
  ]);
  expect(before).toBeLessThan(-4);
  expect(after).toBeGreaterThan((before ?? 0) / 2);
  expect(smoothed).toBeGreaterThan(before ?? 0);
});
