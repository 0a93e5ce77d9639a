// A host and a trainer for tests, in processes of their own, which only take a little time. The seed of the run says what they do.

import { blobOf } from '../../runtime/agents/compact/blob.ts';
import { firstWeights } from '../../runtime/agents/compact/programs.ts';
import { sleepUnlessAborted } from '../../runtime/core/clock.ts';
import { runId, seed, taskId, trajectoryId, version } from '../../runtime/core/ids.ts';
import { type Order, pinnedVersion } from '../../runtime/core/order.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import type { Trajectory } from '../../runtime/core/trajectory.ts';
import type { WorkQueue } from '../../runtime/fabric/channels.ts';
import type { Fabric } from '../../runtime/fabric/fabric.ts';
import { tensor } from '../../runtime/graph/tensor.ts';
import type { HostStart } from '../../runtime/run/host/host.ts';
import { runModule } from '../../runtime/run/module-child.ts';
import type { TrainerStart } from '../../runtime/run/trainer/trainer-child.ts';
import { stepOf } from '../ring/models.ts';

/** Milliseconds. */
const TAKES = 20;

runModule<HostStart | TrainerStart>(async (start, fabric, signal) => {
  const isHost = 'config' in start;
  const does = isHost ? start.config.seed : start.seed;
  if (does.includes('never ready')) await new Promise(() => undefined);
  if (does.includes('trainer cannot start') && !isHost) throw new RangeError('there is no room for weights');
  return isHost ? () => play(does, fabric, signal) : () => train(start, fabric, signal);
});

/** A new version now and then. */
async function train({ learns }: TrainerStart, fabric: Fabric, signal: AbortSignal): Promise<void> {
  if (learns.kind !== 'heads') throw new RangeError('These modules train the built-in policy only.');
  const weights = firstWeights(learns.shape, () => 0.5);
  const blob = blobOf(tensor('float32', [weights.length], weights));
  for (let number = 0; !signal.aborted; number++) {
    await fabric.averaged.set({ version: version(number), blob });
    await fabric.weights.set({ version: version(number), blob });
    const at = Date.now();
    fabric.events.publish({ module: 'trainer', at, kind: 'waiting', reason: 'a batch', since: at });
    await sleepUnlessAborted(systemClock, 10 * TAKES, signal);
  }
}

async function play(does: string, fabric: Fabric, signal: AbortSignal): Promise<void> {
  // Once all are up: the trainer is ready before it has weights.
  if (does.includes('breaks the curator'))
    for await (const _ of fabric.weights.watch(signal)) {
      await fabric.trajectories.put(UNREADABLE);
      break;
    }
  await Promise.all([
    answer(fabric.orders, fabric, signal, Number.POSITIVE_INFINITY),
    answer(fabric.evaluations, fabric, signal, mostEvaluations(does)),
    ...(does.includes('has servers') ? [reportServers(fabric, signal)] : []),
  ]);
}

/** Each report has ten tokens more. */
async function reportServers(fabric: Fabric, signal: AbortSignal): Promise<void> {
  const since = Date.now();
  for (let promptTokens = 0; !signal.aborted; promptTokens += 10) {
    fabric.events.publish({
      ...{ module: 'rollout', at: Date.now(), kind: 'servers', since },
      servers: [{ name: 'one', phase: 'serving', inFlight: 1, replies: promptTokens / 10, latencyMs: TAKES }],
      spent: { promptTokens, completionTokens: 0 },
    });
    await sleepUnlessAborted(systemClock, TAKES, signal);
  }
}

const mostEvaluations = (does: string): number =>
  does.includes('never evaluates') ? 0 : does.includes('evaluates once') ? 2 : Number.POSITIVE_INFINITY;

async function answer(
  orders: WorkQueue<Order>,
  fabric: Fabric,
  signal: AbortSignal,
  most: number,
): Promise<void> {
  const taker = orders.taker();
  for (let number = 0; number < most && !signal.aborted; number++) {
    const taken = await taker.take(signal).catch(() => undefined);
    if (taken === undefined) return;
    await systemClock.sleep(TAKES);
    await fabric.trajectories.put(played(taken.item, taken.attempt));
    await taken.acknowledge();
  }
}

const played = (order: Order, attempt: number): Trajectory => ({
  id: trajectoryId(`${order.id}.${attempt}`),
  order: order.id,
  run: order.run,
  group: order.group,
  instance: order.instance,
  instruction: 'do it',
  purpose: order.purpose,
  mode: order.mode,
  maxSteps: order.maxSteps,
  provenance: { kind: 'rollout' },
  steps: [stepOf(pinnedVersion(order) ?? 0)],
  frames: { kind: 'redrawn', renderer: 'model' },
  outcome: { kind: 'judged', ending: 'finished', verdict: { score: 0, why: 'a model' } },
  startedAt: 0,
  endedAt: 1,
});

/** Shown by somebody who saw other screens: nobody can say what a policy would have had to choose. */
const UNREADABLE: Trajectory = {
  id: trajectoryId('unreadable'),
  run: runId('other'),
  instance: { task: taskId('any'), seed: seed(1) },
  instruction: 'do it',
  purpose: 'demonstrate',
  mode: 'a11y_tree',
  maxSteps: 1,
  provenance: { kind: 'oracle' },
  steps: [
    { action: { kind: 'wait' }, meant: [], observation: { encoding: 'model', bytes: new Uint8Array() } },
  ],
  frames: { kind: 'redrawn', renderer: 'model' },
  outcome: { kind: 'judged', ending: 'finished', verdict: { score: 1, why: 'a model' } },
  startedAt: 0,
  endedAt: 1,
};
