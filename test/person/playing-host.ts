// A host that plays one order on real desktops of any kind. Its agent waits in each step, and after a few steps it decides no more until it
// is let go, so that a person can take the desktop over in the middle of an episode.

import { onTestFinished } from 'vitest';
import { COMPACT } from '../../runtime/agents/compact/network.ts';
import type { Config } from '../../runtime/config/config.ts';
import { desktopId, groupId, orderId, runId, type TrajectoryId, version } from '../../runtime/core/ids.ts';
import { seeded } from '../../runtime/core/rng.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import type { Instance } from '../../runtime/core/task.ts';
import type { Trajectory } from '../../runtime/core/trajectory.ts';
import { embeddedFabric } from '../../runtime/fabric/embedded-fabric.ts';
import { PersonRecordings } from '../../runtime/person/recordings.ts';
import type { PolicyWorker } from '../../runtime/rollout/policy-worker.ts';
import { Host } from '../../runtime/run/host/host.ts';
import { openKind } from '../../runtime/run/host/host-kinds.ts';
import { compactPolicy } from '../../runtime/run/host/host-policy-compact.ts';
import { opened } from '../data/open-stores.ts';
import { folder } from '../data/trajectories.ts';

/** Steps for each order after which the agent is slow. */
const PLAYED = 2;
/** Steps of an episode that nobody interrupts: more than the agent decides before it is let go. */
export const EPISODE_STEPS = 6;

/** With so many orders of one task. */
export async function playingHost(config: Config, task: string, orders = 1) {
  const fabric = embeddedFabric();
  let letGo = () => {};
  const isFree = new Promise<void>(resolve => {
    letGo = resolve;
  });
  let decided = 0;
  const worker: PolicyWorker = {
    decide: async requests => {
      decided += requests.length;
      if (decided > PLAYED * orders) await isFree;
      const choice = { action: { kind: 'wait' }, meant: [], decisions: [], version: version(1) } as const;
      return requests.map(() => choice);
    },
    load: async () => undefined,
    pin: async () => undefined,
    unpin: async () => undefined,
    close: async () => undefined,
  };
  const { kind: name } = config.environments;
  const kind = await openKind({ run: name, config, health: () => undefined, clock: systemClock });
  const { suite } = kind;
  const host = new Host({
    ...{ run: runId('run'), config, tasks: suite.tasks('train'), shape: COMPACT, kind, fabric },
    ...{ isFirst: false, isTrained: true, clock: systemClock },
    policy: compactPolicy({ rollout: config.rollout, startWorker: async () => worker, clock: systemClock }),
  });
  await fabric.weights.set({ version: version(1), blob: new Uint8Array() });
  const instances = Array.from({ length: orders }, (_, index): Instance => {
    const seed = suite.seed('train', index % suite.trainSeeds);
    return { task: suite.task(task, seed).id, seed };
  });
  for (const [index, instance] of instances.entries())
    await fabric.orders.put({
      ...{ id: orderId(`o${index}`), run: runId('run'), group: groupId('g'), instance, purpose: 'train' },
      ...{ maxSteps: EPISODE_STEPS, mode: config.mode },
    });
  const stop = new AbortController();
  const running = host.run(stop.signal);
  const { store } = await opened({ root: folder() });
  const accepted: TrajectoryId[] = [];
  const recordings = new PersonRecordings({
    ...{ store, clock: systemClock, random: seeded(name), isGuest: () => true },
    config: async () => config,
    accept: async id => void accepted.push(id),
    training: () => ({ config, fabric }),
  });
  onTestFinished(async () => {
    letGo();
    await recordings.close();
    stop.abort();
    await running;
    await fabric.close();
  });
  const taker = fabric.trajectories.taker();
  /** The next finished episode. */
  const finished = async (): Promise<Trajectory> => {
    const { item, acknowledge } = await taker.take(AbortSignal.timeout(300_000));
    await acknowledge();
    return item;
  };
  /** Nothing has finished since the last call. */
  const isQuiet = async (): Promise<boolean> => (await taker.tryTake()) === undefined;
  const me = {};
  /** The first desktop. */
  const takeOver = async () => {
    const { recording } = await recordings.takeOver({ desktop: desktopId('d0'), who: 'Ada' }, me);
    return recordings.of(recording, me);
  };
  return {
    ...{ instances, store, accepted, recordings, takeOver, finished, isQuiet },
    letGo: () => letGo(),
    /** The agent decides no more. */
    isThinking: () => decided > PLAYED * orders,
  };
}
