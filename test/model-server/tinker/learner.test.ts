// Dartboard's own client of the Tinker protocol on the micro server: the laws of all learners, and the same numbers as in process.

import { afterAll, expect, onTestFinished, test } from 'vitest';
import { at } from '../../../runtime/core/at.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import { httpTransport } from '../../../runtime/endpoints/http-transport.ts';
import { ApiKey } from '../../../runtime/endpoints/keys.ts';
import type { Learner } from '../../../runtime/learner/learner.ts';
import { MicroLearner } from '../../../runtime/learner/micro/micro-learner.ts';
import { decodeTraining } from '../../../runtime/learner/micro/state-file.ts';
import { TinkerClient } from '../../../runtime/learner/tinker/client.ts';
import { PASS_LIMITS } from '../../../runtime/learner/tinker/datums.ts';
import { TinkerLearner, type TinkerLearnerOptions } from '../../../runtime/learner/tinker/tinker-learner.ts';
import { fileOfPlace, parseTinkerPath } from '../../../runtime/model-server/tinker/tinker-path.ts';
import { TINY, tinyWeights } from '../../agents/micro/tiny.ts';
import { clippedBatch } from '../../learner/clipped-batches.ts';
import { testLearner } from '../../learner/conformance.ts';
import { images, LIVE, localEngine, MemoryFolder, SETTINGS, STEPS } from '../../learner/micro/fixture.ts';
import { MemoryFiles } from '../../learner/tinker/lab.ts';
import { KEY, type TinyServer, tinyServer } from '../micro/tiny-server.ts';

const transport = httpTransport();

afterAll(() => transport.close());

/** A server of its own: it has room for 16 models, and a learner does not free its model when it closes. */
async function begun(): Promise<TinyServer> {
  const server = await tinyServer();
  onTestFinished(() => server.close());
  return server;
}

const openIn = (
  server: TinyServer,
  files: MemoryFiles,
  options: Partial<TinkerLearnerOptions> = {},
): Promise<TinkerLearner> =>
  TinkerLearner.open(
    {
      client: new TinkerClient({
        ...{ name: 'micro', url: server.tinkerUrl, key: new ApiKey(KEY), transport, clock: systemClock },
      }),
      ...{ name: 'micro', files, images, clock: systemClock, needsReference: true },
      model: { baseModel: 'micro', rank: 8, seed: 1 },
      // Each row is a request of its own.
      limits: { rows: 1, bytes: 5_000_000 },
      ...options,
    },
    LIVE,
  );

testLearner(
  'Tinker on the micro server',
  { assesses: true, hasReference: true, clips: true, publishes: true },
  async () => {
    const server = await begun();
    const files = new Map<Learner, MemoryFiles>();
    const open = async (own: MemoryFiles) => {
      const learner = await openIn(server, own);
      files.set(learner, own);
      return learner;
    };
    return {
      open: () => open(new MemoryFiles()),
      reopen: learner => open(files.get(learner) ?? new MemoryFiles()),
      ...{ steps: STEPS, optimiser: SETTINGS, tolerance: 1e-5 },
    };
  },
);

test('updates over the protocol equal updates in process', async () => {
  const over = await openIn(await begun(), new MemoryFiles());
  const here = await MicroLearner.open({
    ...{
      engine: localEngine,
      shape: TINY,
      weights: tinyWeights('server'),
      images,
      folder: new MemoryFolder(),
      clock: systemClock,
    },
  });
  for (let step = 0; step < 3; step++) {
    const rows = STEPS.map((each, index) => ({
      ...{ step: each, weights: each.reply.map((_, token) => Math.cos(step + index + token)) },
      origin: { trajectory: 't', index, group: 'g', task: 'k', advantage: 1, isSuccess: true },
    }));
    const update = { id: `u${step}`, rows, optimiser: { ...SETTINGS, weightDecay: 0.01, clipNorm: 0.5 } };
    const [one, other] = [await over.update(update, LIVE), await here.update(update, LIVE)];
    expect(one.loss).toBeCloseTo(other.loss ?? Number.NaN, 3);
    for (const { hardwareSeconds } of [one, other]) expect(hardwareSeconds).toBeGreaterThanOrEqual(0);
    const [first, second] = [
      await over.assess(STEPS, 'present', LIVE),
      await here.assess(STEPS, 'present', LIVE),
    ];
    for (const [row, values] of first.entries())
      for (const [token, value] of values.entries()) expect(value).toBeCloseTo(at(at(second, row), token), 4);
  }
  await over.close();
  await here.close();
});

/** Plain gradient descent. Without momentum, the mean that Adam keeps is the gradient. */
const DESCENT = { ...SETTINGS, beta1: 0, beta2: 0, epsilon: 1e6, learningRate: 1e4 };
const BATCHES = 24;

test("the gradient of PPO's loss is that of signed weights: over HTTP and in process, over random batches with every switch", async () => {
  const server = await begun();
  const random = seeded('clipped over HTTP');
  const over = { needsReference: false, limits: PASS_LIMITS };
  const [clipping, plain] = [
    await openIn(server, new MemoryFiles(), over),
    await openIn(server, new MemoryFiles(), over),
  ];
  const folder = new MemoryFolder();
  const here = await MicroLearner.open({
    ...{ engine: localEngine, shape: TINY, weights: tinyWeights('server'), images, folder },
    clock: systemClock,
  });
  const served = async (learner: TinkerLearner, name: string) => {
    const { path }: { readonly path: string } = JSON.parse(await learner.save(name, LIVE));
    return decodeTraining(await server.folder.read(fileOfPlace(parseTinkerPath(path))), path).state.mean;
  };
  expect(clipping.capabilities.clips).toBe(true);
  let trained = 0;
  for (let number = 0; number < BATCHES; number++) {
    const present = await plain.assess(STEPS, 'present', LIVE);
    const batch = { steps: STEPS, present, optimiser: DESCENT };
    const { clipped, signed, objective } = clippedBatch(`b${number}`, batch, random);
    const report = await clipping.update(clipped, LIVE);
    const inProcess = await here.update(clipped, LIVE);
    await plain.update(signed, LIVE);
    const gradient = await served(plain, signed.id);
    if (gradient.some(each => Math.abs(each) > 1e-2)) trained += 1;
    const own = decodeTraining(await folder.read(await here.save(signed.id, LIVE)), signed.id).state.mean;
    for (const other of [await served(clipping, signed.id), own])
      expect(farthest(other, gradient), JSON.stringify(objective)).toBeLessThan(1e-5);
    for (const name of ['loss', 'clipped', 'divergence'] as const)
      expect(report[name]).toBeCloseTo(inProcess[name] ?? Number.NaN, 3);
  }
  // The others have advantages of 0, or an importance weight near 0.
  expect(trained).toBeGreaterThan(BATCHES / 2);
  for (const learner of [clipping, plain, here]) await learner.close();
});

const farthest = (one: Float32Array, other: Float32Array): number =>
  one.reduce((most, each, index) => Math.max(most, Math.abs(each - at(other, index))), 0);
