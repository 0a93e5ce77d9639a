// Finished episodes for tests.

import { groupId, orderId, runId, seed, taskId, trajectoryId, version } from '../../runtime/core/ids.ts';
import type { Order } from '../../runtime/core/order.ts';
import type { EncodedObservation } from '../../runtime/core/policy.ts';
import type { Step } from '../../runtime/core/step.ts';
import type { Trajectory } from '../../runtime/core/trajectory.ts';

export const RUN = runId('run');
export const INSTANCE = { task: taskId('rename a file'), seed: seed(7) };

export const stepBy = (by: number, choice = 1): Step => ({
  action: { kind: 'wait' },
  meant: [],
  observation: { encoding: 'test', bytes: new Uint8Array([choice]) },
  chosen: {
    version: version(by),
    trace: {
      kind: 'heads',
      decisions: [{ head: 'kind', choice, choices: 4, logProbability: -1, entropy: 1, alternatives: [] }],
    },
  },
});

/** An observation that is distinct per order, so that rollouts of a group differ. */
export const seenBy = (order: string): EncodedObservation => ({
  encoding: 'test',
  bytes: new TextEncoder().encode(order),
});

export interface Told {
  /** Undefined where it broke. */
  readonly score: number | undefined;
  readonly by?: readonly number[];
}

export const finished = (
  order: string,
  { score, by = [0] }: Told,
  other: Partial<Trajectory> = {},
): Trajectory => ({
  id: trajectoryId(`${order}.t`),
  order: orderId(order),
  run: RUN,
  group: groupId('g'),
  instance: INSTANCE,
  instruction: 'rename it',
  purpose: 'train',
  mode: 'a11y_tree',
  maxSteps: 10,
  provenance: { kind: 'rollout' },
  steps: by.map(each => ({ ...stepBy(each), observation: seenBy(order) })),
  frames: { kind: 'redrawn', renderer: 'test' },
  outcome:
    score === undefined
      ? { kind: 'broken', failure: { boundary: 'environment', thing: 'd0', message: 'gone' } }
      : { kind: 'judged', ending: 'finished', verdict: { score, why: 'a test says so' } },
  startedAt: 0,
  endedAt: 1,
  ...other,
});

/** The finished episode of an order. */
export const answered = (order: Order, told: Told): Trajectory =>
  finished(order.id, told, {
    group: order.group,
    instance: order.instance,
    purpose: order.purpose,
    maxSteps: order.maxSteps,
  });
