// The daemon accepts values of its run from joined hosts, and no value that would harm its modules.

import { describe, expect, test } from 'vitest';
import { encode } from '../../../runtime/agents/compact/observation.ts';
import { sampleOf } from '../../../runtime/agents/compact/sample.ts';
import { sampleFrom } from '../../../runtime/agents/compact/step-sample.ts';
import { tokensOf } from '../../../runtime/agents/compact/tokens.ts';
import { MemoryBlobs } from '../../../runtime/blobs/memory-blobs.ts';
import type { Event } from '../../../runtime/core/event.ts';
import {
  desktopId,
  groupId,
  orderId,
  runId,
  seed,
  taskId,
  trajectoryId,
  version,
} from '../../../runtime/core/ids.ts';
import type { Lesson } from '../../../runtime/core/lesson.ts';
import type { Order } from '../../../runtime/core/order.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import type { Step } from '../../../runtime/core/step.ts';
import { trainingChoice, withoutProbabilities } from '../../../runtime/core/trace.ts';
import type { Trajectory } from '../../../runtime/core/trajectory.ts';
import type { View } from '../../../runtime/core/view.ts';
import { decodeTrajectory, encodeTrajectory } from '../../../runtime/data/files/trajectory-file.ts';
import { rolloutOf } from '../../../runtime/data/rollouts.ts';
import { UnfitValue, ValueCodec } from '../../../runtime/fabric/nats/codec.ts';
import { HostValues } from '../../../runtime/run/joined/host-values.ts';
import { SentOrders } from '../../../runtime/run/joined/sent-orders.ts';
import { pocketSeen } from '../../agents/compact/screens.ts';
import { choiceOf } from '../../agents/compact/steps.ts';
import { at, mutated, withOddByte } from './mutations.ts';

const MODE = 'screenshot_a11y_tree';
const RUN = runId('run-1');
const TASK = 'mail-star';

const order: Order = {
  ...{
    id: orderId('run-1.o1'),
    run: RUN,
    group: groupId('run-1.g1'),
    purpose: 'train',
    mode: MODE,
    maxSteps: 12,
  },
  instance: { task: taskId(TASK), seed: seed(1) },
};

function stepAt(number: number): Step {
  const seen = pocketSeen(TASK, number, MODE);
  const tokens = tokensOf(seen);
  const pointer = tokens.pointable.indexOf(1);
  const { decisions } = choiceOf(sampleOf(tokens, { kind: 0, pointer }, Array(8).fill(-0.5)));
  return {
    action: { kind: 'click', at: { x: 10, y: 20 } },
    meant: [{ kind: 'element', index: 0, box: { x: 0, y: 0, width: 20, height: 40 } }],
    observation: encode(seen),
    chosen: {
      version: version(3),
      trace: {
        kind: 'heads',
        decisions: decisions.map(({ head, choice, logProbability = 0 }) => ({
          ...{ head, choice, logProbability, choices: 9, entropy: 0.7 },
          alternatives: [
            { choice, logProbability, label: 'click', box: { x: 0, y: 0, width: 2, height: 4 } },
          ],
        })),
      },
    },
  };
}

const trajectory: Trajectory = {
  ...{ id: trajectoryId(`${order.id}.1`), order: order.id, run: RUN, group: order.group },
  ...{ instance: order.instance, instruction: 'Star the mail.', purpose: 'train', mode: MODE, maxSteps: 12 },
  provenance: { kind: 'rollout' },
  steps: [stepAt(1), stepAt(2)],
  frames: { kind: 'redrawn', renderer: 'pocket-1' },
  outcome: { kind: 'judged', ending: 'finished', verdict: { score: 1, why: 'the mail has a star' } },
  ...{ startedAt: 1000, endedAt: 2000 },
};

const lesson: Lesson = {
  ...{ sort: 'hindsight', kind: 'star' },
  steps: trajectory.steps.flatMap(({ observation, chosen }) => {
    const choice = chosen && trainingChoice(chosen.trace);
    return observation && choice ? [{ observation, choice: withoutProbabilities(choice) }] : [];
  }),
};

const common = { module: 'rollout', at: 1000 } as const;
const events: readonly Event[] = [
  { ...common, kind: 'metric', name: 'rollout/steps', value: 3 },
  { ...common, kind: 'waiting', reason: 'an order', since: 900 },
  { ...common, kind: 'waiting', reason: undefined, since: 900 },
  { ...common, kind: 'health', thing: 'tower-d0', healthy: false, message: 'It hung.' },
  { ...common, kind: 'host', phase: 'playing', desktops: 3, playing: 1, workers: 1, version: '0.1.0' },
];

const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3);
const view: View = {
  ...{ desktop: desktopId('tower-d0'), size: 'small', at: 1000, use: 'playing', picture: PNG },
  screen: { width: 320, height: 240 },
  doing: {
    ...{ task: taskId(TASK), instruction: 'Star the mail.', steps: 1, mostSteps: 12 },
    action: { kind: 'wait' },
  },
};

function opened(agent = 'compact') {
  const state = { reports: [] as string[], refused: [] as string[], lost: [] as Order[] };
  const ended: Trajectory[] = [];
  const orders = new SentOrders({
    ...{ agent, replay: each => state.lost.push(each), end: each => ended.push(each), now: () => 5000 },
  });
  const values = new HostValues({
    ...{ run: RUN, mode: MODE, agent, orders },
    health: (thing, _, message) => void state.reports.push(`${thing}: ${message}`),
    refused: host => void state.refused.push(host),
  });
  orders.sent(order);
  values.published(version(3));
  const accept = (channel: string, value: unknown, host = 'tower') =>
    values.accept(channel, value, host)?.value;
  return { values, orders, accept, ended, ...state };
}

test('late results of orders that the daemon has forgotten are dropped, and no fault of their host', () => {
  const { accept, orders, reports, refused } = opened();
  expect(accept('trajectories', trajectory)).toEqual(trajectory);
  for (let count = 0; count < 20_000; count++) {
    const id = orderId(`run-1.g3.${count}`);
    orders.sent({ ...order, id });
    orders.finished(id);
  }
  for (let desktop = 0; desktop < 20; desktop++)
    expect(accept('trajectories', { ...trajectory, id: `${order.id}.${desktop + 2}` })).toBeUndefined();
  expect({ reports, refused }).toEqual({ reports: [], refused: [] });
});

describe('all that the same version sends', () => {
  test.each<[string, unknown]>([
    ['trajectories', trajectory],
    ['trajectories', { ...trajectory, steps: [], outcome: brokenBy('tower-d0'), id: `${order.id}.3` }],
    ['trajectories', { ...trajectory, frames: { kind: 'png', images: [PNG, PNG, new Uint8Array()] } }],
    ['lessons', lesson],
    ['views', view],
    ['views', { desktop: 'tower-d12', size: 'whole', at: 5, use: 'idle' }],
  ])('is accepted: %s', async (channel, value) => {
    const codec = new ValueCodec(new MemoryBlobs());
    const sent = await codec.decode((await codec.encode(value)).bytes);
    const { accept, reports } = opened();
    expect(accept(channel, sent)).toEqual(value);
    expect(reports).toEqual([]);
  });

  test.each(events)('is accepted: the event $kind', async event => {
    const codec = new ValueCodec(new MemoryBlobs());
    const sent = await codec.decode((await codec.encode({ ...event, host: 'tower' })).bytes);
    expect(opened().accept('events', sent)).toEqual({ ...event, host: 'tower' });
  });
});

function brokenBy(thing: string): Trajectory['outcome'] {
  return { kind: 'broken', failure: { boundary: 'environment', thing, message: 'It hung.' } };
}

describe('of what does not belong to the run, nothing is accepted', () => {
  const [first, ...others] = trajectory.steps;
  const chosen = first?.chosen;
  const decisions = chosen?.trace.kind === 'heads' ? chosen.trace.decisions : [];
  const withDecision = (change: object) => ({
    ...trajectory,
    steps: [
      {
        ...first,
        chosen: {
          ...chosen,
          trace: { kind: 'heads', decisions: [{ ...decisions[0], ...change }, decisions[1]] },
        },
      },
      ...others,
    ],
  });
  const a11y = encode(pocketSeen(TASK, 1, 'a11y_tree'));

  test.each<[string, string, unknown, RegExp]>([
    ['another run', 'trajectories', { ...trajectory, run: 'run-2' }, /its run is 'run-2'/],
    [
      'an unknown order',
      'trajectories',
      { ...trajectory, order: 'run-1.o9' },
      /'run-1\.o9', which this epoch/,
    ],
    ['another group', 'trajectories', { ...trajectory, group: 'run-1.g9' }, /its group/],
    ['another task', 'trajectories', { ...trajectory, instance: { task: 'x', seed: 1 } }, /its task is 'x'/],
    ['another seed', 'trajectories', { ...trajectory, instance: { task: TASK, seed: 2 } }, /its seed/],
    ['an evaluation', 'trajectories', { ...trajectory, purpose: 'evaluate' }, /its purpose/],
    ['a demonstration', 'trajectories', { ...trajectory, provenance: { kind: 'oracle' } }, /'provenance/],
    ['the id of another order', 'trajectories', { ...trajectory, id: 'run-1.o11' }, /its id/],
    ['weights that nobody has', 'trajectories', withVersion(4), /the weights 4, and the newest are 3/],
    ['more steps than ordered', 'trajectories', { ...trajectory, steps: Array(13).fill(first) }, /13 steps/],
    ['a verdict without steps', 'trajectories', { ...trajectory, steps: [] }, /without a step/],
    ['a score of 2', 'trajectories', withScore(2), /'outcome\.verdict\.score'/],
    ['a time that is none', 'trajectories', { ...trajectory, endedAt: 9e15 }, /'endedAt'/],
    ['a probability of NaN', 'trajectories', withDecision({ logProbability: Number.NaN }), /logProbability/],
    ['a probability above 1', 'trajectories', withDecision({ logProbability: 2 }), /logProbability/],
    ['an impossible choice', 'trajectories', withDecision({ choice: 10 }), /Decision 1|decisions/],
    ['an observation of another mode', 'trajectories', withObservation(a11y), /the mode 'a11y_tree'/],
    [
      'an observation of nothing',
      'trajectories',
      withObservation({ encoding: a11y.encoding, bytes: new Uint8Array(9) }),
      /inflate/,
    ],
    [
      'a lesson of another mode',
      'lessons',
      { ...lesson, steps: [{ ...lesson.steps[0], observation: a11y }] },
      /mode/,
    ],
    ['a lesson without steps', 'lessons', { ...lesson, steps: [] }, /'steps'/],
    ['the desktop of another host', 'views', { ...view, desktop: 'tower-2-d0' }, /not one of this host/],
    ['a second name of a desktop', 'views', { ...view, desktop: 'tower-d00' }, /not one of this host/],
    ['too many desktops', 'views', { ...view, desktop: 'tower-d1000' }, /at most 1000 desktops/],
    ['a picture that is none', 'views', { ...view, picture: new Uint8Array(9) }, /'picture'.*PNG/],
    ['the spending of a model', 'events', { ...common, kind: 'servers', since: 0, servers: [] }, /'kind'/],
    ['a metric of infinity', 'events', { ...events[0], value: Number.POSITIVE_INFINITY }, /'value'/],
    ['a command', 'commands', { kind: 'stop', run: RUN }, /hosts may not send values to this channel/],
  ])('%s', (_, channel, value, why) => {
    const { accept, reports } = opened();
    expect(accept(channel, value)).toBeUndefined();
    expect(reports).toEqual([expect.stringMatching(why)]);
    expect(reports[0]).toMatch(/^the host 'tower': A value for .* was dropped: .*Install the same version/);
  });

  function withVersion(number: number) {
    return { ...trajectory, steps: [{ ...first, chosen: { ...chosen, version: number } }, ...others] };
  }
  function withObservation(observation: unknown) {
    return { ...trajectory, steps: [{ ...first, observation }, ...others] };
  }
  function withScore(score: number) {
    return { ...trajectory, outcome: { kind: 'judged', ending: 'finished', verdict: { score, why: '' } } };
  }
});

test('an event has the name of the host that sent it, whatever name it claims', () => {
  expect(opened().accept('events', { ...events[0], host: 'local' })).toMatchObject({ host: 'tower' });
});

test.each([
  ['.*', 'tower-d0'],
  ['t.wer', 'tower-d0'],
  // As a pattern, it takes exponential time for a longer id.
  ['(a+)+', 'aaa-d0'],
  ['(', 'tower-d0'],
])('the name %s of a host is no pattern for desktops', (host, desktop) => {
  const { accept, reports } = opened();
  expect(accept('views', { ...view, desktop }, host)).toBeUndefined();
  expect(reports).toEqual([expect.stringContaining('which is not one of this host')]);
});

test('a host with several wrong values is refused, others are not, and nothing of it is accepted any more', () => {
  const { accept, refused, reports } = opened();
  for (let time = 0; time < 20; time += 1) accept('events', {});
  expect(refused).toEqual(['tower']);
  expect(reports).toHaveLength(8);
  expect(accept('trajectories', trajectory)).toBeUndefined();
  expect(accept('trajectories', trajectory, 'laptop')).toBeDefined();
});

test('messages that cannot be read count, too', () => {
  const { values, refused } = opened();
  for (let time = 0; time < 8; time += 1) values.unreadable('lessons', 'tower', new UnfitValue('It is odd.'));
  expect(refused).toEqual(['tower']);
});

describe('the order of a lost result', () => {
  test('is put again three times, and then ends as a broken rollout', () => {
    const { orders, lost, ended } = opened();
    for (let time = 0; time < 3; time += 1) orders.lost(order.id);
    expect(lost).toEqual([order, order, order]);
    expect(ended).toEqual([]);
    for (let time = 0; time < 50; time += 1) orders.lost(order.id);
    expect(lost).toHaveLength(3);
    expect(ended).toEqual([
      expect.objectContaining({
        ...{ id: `${order.id}.0`, order: order.id, run: RUN, group: order.group, steps: [], startedAt: 5000 },
        outcome: {
          kind: 'broken',
          failure: expect.objectContaining({ message: expect.stringContaining(`${order.id} 4 times`) }),
        },
      }),
    ]);
  });

  test('is not put again for a wrong value alone: it is found when its host has completed it', () => {
    const { accept, lost } = opened();
    for (let time = 0; time < 3; time += 1) accept('trajectories', { ...trajectory, maxSteps: 99 });
    expect(lost).toEqual([]);
  });

  test('is not put again if it is unknown', () => {
    const { orders, lost } = opened();
    orders.lost(orderId('nobody-sent-it'));
    expect(lost).toEqual([]);
  });

  test('is not put again if another result has arrived, from a joined host or from the machine of the daemon', () => {
    const [joined, local] = [opened(), opened()];
    joined.accept('trajectories', trajectory);
    local.orders.finished(order.id);
    for (const { orders, lost } of [joined, local]) {
      orders.lost(order.id);
      expect(lost).toEqual([]);
    }
  });

  test('ends with a rollout that can be stored and read again', async () => {
    const { orders, ended } = opened();
    for (let time = 0; time < 4; time += 1) orders.lost(order.id);
    for (const each of ended) expect(await decodeTrajectory(encodeTrajectory(each).bytes, 'x')).toEqual(each);
    expect(ended).toHaveLength(1);
  });
});

describe('after thousands of random changes to real messages, whatever is accepted is sound', () => {
  const isSound = async (channel: string, accepted: unknown): Promise<void> => {
    if (channel === 'trajectories') {
      const found = accepted as Trajectory;
      expect(found).toMatchObject({
        run: RUN,
        order: order.id,
        group: order.group,
        instance: order.instance,
      });
      // It can be stored and read again, and trained on.
      const file = encodeTrajectory(found);
      expect((await decodeTrajectory(file.bytes, 'x')).id).toBe(found.id);
      for (const step of rolloutOf(found)?.steps ?? []) sampleFrom(step.observation, step.choice);
      for (const { chosen } of found.steps) expect(chosen?.version).toBeLessThanOrEqual(3);
    }
    if (channel === 'lessons')
      for (const step of (accepted as Lesson).steps) sampleFrom(step.observation, step.choice);
    // Nothing that a page or a file could not represent.
    expect(JSON.stringify(accepted)).not.toContain('null');
  };

  test.each<[string, readonly unknown[]]>([
    ['trajectories', [trajectory]],
    ['lessons', [lesson]],
    ['events', events],
    ['views', [view]],
  ])('%s', async (channel, real) => {
    const random = seeded('mallory').fork(channel);
    const codec = new ValueCodec(new MemoryBlobs());
    const messages = await Promise.all(real.map(async value => (await codec.encode(value)).bytes));
    let taken = 0;
    for (let round = 0; round < 1500; round += 1) {
      const values = [mutated(at(real, random), random)];
      try {
        values.push(await codec.decode(withOddByte(at(messages, random), random)));
      } catch (error) {
        if (!(error instanceof Error && /UnfitValue|BlobMissing/.test(error.name))) throw error;
      }
      for (const value of values) {
        // Each wrong value is the first one of its host.
        const accepted = opened().accept(channel, value);
        if (accepted === undefined) continue;
        taken += 1;
        await isSound(channel, accepted);
      }
    }
    // Some changes are harmless.
    expect(taken).toBeGreaterThan(0);
    expect(taken).toBeLessThan(3000);
  });
});

test('a message that would fill the memory is refused before it does', async () => {
  const codec = new ValueCodec(new MemoryBlobs());
  const message = (json: string, bytes = 0) => {
    const head = Buffer.alloc(5);
    head.writeUInt8(1, 0);
    head.writeUInt32LE(json.length, 1);
    return Buffer.concat([head, Buffer.from(json), Buffer.alloc(bytes)]);
  };
  for (const hostile of [
    message('['.repeat(30_000) + ']'.repeat(30_000)),
    message(`[${Array(1000).fill('{"$bytes":[0,30000]}').join()}]`, 30_000),
    message(JSON.stringify(Array.from({ length: 3000 }, (_, n) => ({ $blob: `${n}`.padStart(64, '0') })))),
    message(`"${'x'.repeat(65 * 1024 * 1024)}"`),
  ])
    await expect(codec.decode(hostile)).rejects.toBeInstanceOf(UnfitValue);
});
