import { expect, test } from 'vitest';
import type { Trajectory } from '../../runtime/core/trajectory.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { encodeTrajectory } from '../../runtime/data/files/trajectory-file.ts';
import {
  consumeTrajectories,
  type TrajectoryConsumerOptions,
} from '../../runtime/data/trajectory-consumer.ts';
import { embeddedFabric } from '../../runtime/fabric/embedded-fabric.ts';
import { finished } from './finished-episodes.ts';
import { step } from './trajectories.ts';

function letting(
  keep: (trajectory: Trajectory) => Promise<void>,
  other: Partial<TrajectoryConsumerOptions> = {},
) {
  const { trajectories } = embeddedFabric();
  const clock = new VirtualClock();
  const stop = new AbortController();
  const [arrived, health]: [string[], string[]] = [[], []];
  const options: TrajectoryConsumerOptions = {
    sink: { keep },
    clock,
    health: (thing, healthy, message) => health.push(`${thing} ${healthy} ${message}`),
    onTrajectory: async ({ id }) => void arrived.push(id),
    ...other,
  };
  const running = consumeTrajectories(trajectories.taker(), options, stop.signal);
  return { trajectories, clock, stop, arrived, health, running };
}

const NOTHING = { waiting: 0, taken: 0 };

test('a trajectory is acknowledged and passed on once it is durable', async () => {
  let durable = () => {};
  const written = new Promise<void>(resolve => {
    durable = resolve;
  });
  const { trajectories, clock, arrived, stop, running } = letting(() => written);
  await trajectories.put(finished('a', { score: 1 }));
  await clock.run(0);
  expect(await trajectories.depth()).toEqual({ waiting: 0, taken: 1 });
  expect(arrived).toEqual([]);
  durable();
  await clock.run(0);
  expect(await trajectories.depth()).toEqual(NOTHING);
  expect(arrived).toEqual(['a.t']);
  stop.abort();
  await running;
});

test('writes run concurrently, up to the maximum', async () => {
  let [now, most] = [0, 0];
  const { trajectories, clock, stop, running, arrived } = letting(async () => {
    most = Math.max(most, ++now);
    await clock.sleep(10);
    now -= 1;
  });
  for (let index = 0; index < 100; index++) await trajectories.put(finished(`t${index}`, { score: 1 }));
  await clock.run(1000);
  expect(most).toBe(32);
  expect(arrived.length).toBe(100);
  stop.abort();
  await running;
});

test('a failed write is retried until it succeeds, and both are reported', async () => {
  let left = 2;
  const { trajectories, clock, arrived, health, stop, running } = letting(async () => {
    if (left-- > 0) throw new Error('the disk is full');
  });
  await trajectories.put(finished('a', { score: 1 }));
  await clock.run(2999);
  expect(arrived).toEqual([]);
  await clock.run(3000);
  expect(arrived).toEqual(['a.t']);
  expect(health).toEqual([
    'trajectory files false A trajectory cannot be written: the disk is full. Dartboard tries again.',
    'trajectory files false A trajectory cannot be written: the disk is full. Dartboard tries again.',
    'trajectory files true can be written again',
  ]);
  stop.abort();
  await running;
});

test('trajectories that no file can represent are reported alike, and passed on as broken episodes', async () => {
  const kept: string[] = [];
  const outcomes: string[] = [];
  const { trajectories, clock, health, stop, running } = letting(
    async trajectory => {
      encodeTrajectory(trajectory);
      kept.push(trajectory.id);
    },
    { onTrajectory: async ({ id, outcome }) => void outcomes.push(`${id} ${outcome.kind}`) },
  );
  const [sound, odd] = [step(1, 0.5), step(1, Number.NaN)];
  await trajectories.put(finished('a', { score: 1 }, { steps: [odd, sound] }));
  await trajectories.put(finished('b', { score: 1 }));
  await trajectories.put(finished('c', { score: 1 }, { steps: [sound, odd] }));
  await clock.run(0);
  expect(kept).toEqual(['b.t']);
  expect(outcomes.toSorted()).toEqual(['a.t broken', 'b.t judged', 'c.t broken']);
  // The run counts equal problems.
  expect(health).toHaveLength(2);
  expect(new Set(health).size).toBe(1);
  expect(await trajectories.depth()).toEqual(NOTHING);
  stop.abort();
  await running;
});

test('at the end, trajectories that are not durable return to the channel', async () => {
  const { trajectories, clock, arrived, stop, running } = letting(() => Promise.reject(new Error('full')));
  await trajectories.put(finished('a', { score: 1 }));
  await clock.run(0);
  stop.abort();
  await clock.run(0);
  await running;
  expect(await trajectories.depth()).toEqual({ waiting: 1, taken: 0 });
  expect(arrived).toEqual([]);
});

test('an error of the receiver ends the consumer', async () => {
  const { trajectories, clock, running } = letting(async () => {}, {
    onTrajectory: () => Promise.reject(new Error('a fault in the books')),
  });
  const ended = expect(running).rejects.toThrow('a fault in the books');
  await trajectories.put(finished('a', { score: 1 }));
  await clock.run(0);
  await ended;
});
