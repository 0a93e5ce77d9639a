// The daemon accepts episodes of the model of its run from joined hosts, and none that would harm its modules.

import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { encodeChat } from '../../../runtime/agents/model/chat-observation.ts';
import { MemoryBlobs } from '../../../runtime/blobs/memory-blobs.ts';
import { groupId, orderId, runId, seed, taskId, trajectoryId, version } from '../../../runtime/core/ids.ts';
import type { Order } from '../../../runtime/core/order.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import type { Step } from '../../../runtime/core/step.ts';
import type { TokensTrace } from '../../../runtime/core/trace.ts';
import type { Trajectory } from '../../../runtime/core/trajectory.ts';
import { decodeTrajectory, encodeTrajectory } from '../../../runtime/data/files/trajectory-file.ts';
import { rolloutOf } from '../../../runtime/data/rollouts.ts';
import { ValueCodec } from '../../../runtime/fabric/nats/codec.ts';
import { HostValues } from '../../../runtime/run/joined/host-values.ts';
import { SentOrders } from '../../../runtime/run/joined/sent-orders.ts';
import { at, mutated, withOddByte } from './mutations.ts';

const MODE = 'screenshot';
const RUN = runId('run-1');

const order: Order = {
  ...{ id: orderId('run-1.o1'), run: RUN, group: groupId('run-1.g1'), purpose: 'train', mode: MODE },
  ...{ maxSteps: 12, instance: { task: taskId('mail-star'), seed: seed(1) } },
};

const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3);
const sha256 = createHash('sha256').update(png).digest('hex');
const observation = encodeChat([
  { role: 'system', parts: [{ type: 'text', text: 'You use a desktop.' }] },
  { role: 'user', parts: [{ type: 'image', sha256, width: 320, height: 240 }] },
]);

const trace: TokensTrace = {
  kind: 'tokens',
  tokens: [
    { text: 'click', id: 4, logProbability: -0.25, entropy: 0.5 },
    { text: '()', id: 5, logProbability: -1, alternatives: [{ text: '[]', logProbability: -2 }] },
  ],
  ...{ prompt: [1, 2, 3], estimator: 'top-k', finish: 'stop', raw: 'click()', thought: 'I click.' },
  defects: [],
  served: {
    ...{ endpoint: 'lab.1', model: 'run-1-v3', latencyMs: 812.5, promptTokens: 3, completionTokens: 2 },
    retries: ['timeout'],
  },
};

const first: Step = {
  ...{ action: { kind: 'click', at: { x: 10, y: 20 } }, meant: [], observation },
  chosen: { version: version(3), trace },
};
const later: Step = {
  ...{ action: { kind: 'type', text: 'Anna' }, meant: [] },
  chosen: { version: version(3), trace: { kind: 'same-turn' } },
};

const trajectory: Trajectory = {
  ...{ id: trajectoryId(`${order.id}.1`), order: order.id, run: RUN, group: order.group, agent: 'tars' },
  ...{ instance: order.instance, instruction: 'Star the mail.', purpose: 'train', mode: MODE, maxSteps: 12 },
  provenance: { kind: 'rollout' },
  steps: [first, later, first],
  frames: { kind: 'redrawn', renderer: 'pocket-1' },
  images: [{ sha256, png }],
  outcome: { kind: 'judged', ending: 'finished', verdict: { score: 1, why: 'the mail has a star' } },
  ...{ startedAt: 1000, endedAt: 2000 },
};

function opened(newest = 3) {
  const reports: string[] = [];
  const orders = new SentOrders({
    ...{ agent: 'tars', replay: () => undefined, end: () => undefined, now: () => 0 },
  });
  orders.sent(order);
  const values = new HostValues({
    ...{ run: RUN, mode: MODE, agent: 'tars', orders, refused: () => undefined },
    health: (thing, _, message) => void reports.push(`${thing}: ${message}`),
  });
  values.published(version(newest));
  return {
    values,
    reports,
    accept: (value: unknown) => values.accept('trajectories', value, 'tower')?.value,
  };
}

test('an episode arrives as it was sent', async () => {
  const codec = new ValueCodec(new MemoryBlobs());
  const sent = await codec.decode((await codec.encode(trajectory)).bytes);
  const { accept, reports } = opened();
  expect(accept(sent)).toEqual(trajectory);
  expect(reports).toEqual([]);
});

test('weights that were answered after older ones are known, whatever order they are reported in', () => {
  const { values, accept } = opened(4);
  values.published(version(2));
  expect(accept(trajectory)).toEqual(trajectory);
});

describe('of what does not belong to the run, nothing is accepted', () => {
  const withSteps = (...steps: unknown[]) => ({ ...trajectory, steps });
  const withTrace = (change: object) =>
    withSteps({ ...first, chosen: { version: 3, trace: { ...trace, ...change } } });

  test.each<[string, unknown, RegExp]>([
    ['an episode of another agent', { ...trajectory, agent: 'other' }, /'other' played it.*trains 'tars'/],
    ['an episode of nobody', { ...trajectory, agent: undefined }, /'agent'/],
    [
      'weights that nobody has',
      { ...trajectory, steps: [{ ...first, chosen: { version: 4, trace } }] },
      /newest are 3/,
    ],
    ['an image that it does not contain', { ...trajectory, images: [] }, /does not contain/],
    [
      'another image under its hash',
      { ...trajectory, images: [{ sha256, png: Uint8Array.of(...png, 9) }] },
      /under the hash/,
    ],
    [
      'an observation that is none',
      withSteps({ ...first, observation: { encoding: 'chat-1', bytes: png } }),
      /damaged/,
    ],
    [
      'an observation of the built-in policy',
      withSteps({ ...first, observation: { ...observation, encoding: 'a' } }),
      /encoding 'a'/,
    ],
    ['a later action without a first one', withSteps(later, first), /first step/],
    ['decisions of the built-in policy', withTrace({ kind: 'heads', decisions: [] }), /steps/],
    ['a token with a negative id', withTrace({ tokens: [{ text: 'x', id: -1 }] }), /steps/],
    ['a probability of NaN', withTrace({ tokens: [{ text: 'x', logProbability: Number.NaN }] }), /steps/],
  ])('%s', (_, value, why) => {
    const { accept, reports } = opened();
    expect(accept(value)).toBeUndefined();
    expect(reports).toEqual([expect.stringMatching(why)]);
  });

  test('a lesson, which only the built-in policy has', () => {
    const { values, reports } = opened();
    const lesson = {
      ...{ sort: 'hindsight', kind: 'star' },
      steps: [
        {
          observation,
          choice: { kind: 'heads', decisions: [{ head: 'kind', choice: 0 }] },
        },
      ],
    };
    expect(values.accept('lessons', lesson, 'tower')).toBeUndefined();
    expect(reports).toEqual([expect.stringContaining('no lessons')]);
  });
});

test('after thousands of random changes to real messages, whatever is accepted can be stored and trained on', async () => {
  const random = seeded('mallory');
  const codec = new ValueCodec(new MemoryBlobs());
  const message = (await codec.encode(trajectory)).bytes;
  let taken = 0;
  for (let round = 0; round < 1000; round += 1) {
    const values = [mutated(at([trajectory], random), random)];
    try {
      values.push(await codec.decode(withOddByte(message, random)));
    } catch (error) {
      if (!(error instanceof Error && /UnfitValue|BlobMissing/.test(error.name))) throw error;
    }
    for (const value of values) {
      const accepted = opened().accept(value) as Trajectory | undefined;
      if (accepted === undefined) continue;
      taken += 1;
      const { bytes } = encodeTrajectory(accepted);
      expect((await decodeTrajectory(bytes, 'x')).id).toBe(accepted.id);
      rolloutOf(accepted);
    }
  }
  // Some changes are harmless.
  expect(taken).toBeGreaterThan(0);
  expect(taken).toBeLessThan(2000);
});
