// Dartboard's own client of the Tinker protocol on the micro server: the laws of all learners, and the same numbers as in process.

import { afterAll, expect, onTestFinished, test } from 'vitest';
import { at } from '../../../runtime/core/at.ts';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import { httpTransport } from '../../../runtime/endpoints/http-transport.ts';
import { ApiKey } from '../../../runtime/endpoints/keys.ts';
import type { Learner } from '../../../runtime/learner/learner.ts';
import { MicroLearner } from '../../../runtime/learner/micro/micro-learner.ts';
import { TinkerClient } from '../../../runtime/learner/tinker/client.ts';
import { TinkerLearner } from '../../../runtime/learner/tinker/tinker-learner.ts';
import { TINY, tinyWeights } from '../../agents/micro/tiny.ts';
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

const openIn = (server: TinyServer, files: MemoryFiles): Promise<TinkerLearner> =>
  TinkerLearner.open(
    {
      client: new TinkerClient({
        ...{ name: 'micro', url: server.tinkerUrl, key: new ApiKey(KEY), transport, clock: systemClock },
      }),
      ...{ name: 'micro', files, images, clock: systemClock, needsReference: true },
      model: { baseModel: 'micro', rank: 8, seed: 1 },
      // Each row is a request of its own.
      limits: { rows: 1, bytes: 5_000_000 },
    },
    LIVE,
  );

testLearner(
  'Tinker on the micro server',
  { assesses: true, hasReference: true, publishes: true },
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
    },
  });
  for (let step = 0; step < 3; step++) {
    const rows = STEPS.map((each, index) => ({
      ...{ step: each, weights: each.reply.map((_, token) => Math.cos(step + index + token)) },
      origin: { trajectory: 't', index, group: 'g', task: 'k', advantage: 1 },
    }));
    const update = { id: `u${step}`, rows, optimiser: { ...SETTINGS, weightDecay: 0.01, clipNorm: 0.5 } };
    const [one, other] = [await over.update(update, LIVE), await here.update(update, LIVE)];
    expect(one.loss).toBeCloseTo(other.loss ?? Number.NaN, 3);
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
