// A planned group as orders, and the names of what the data module makes. A name is never given twice, not even by a process that goes
// on from an older state than the last one had: the moment of its start is in all of them.

import { type BatchId, batchId, type GroupId, groupId, orderId, type RunId } from '../core/ids.ts';
import type { Order } from '../core/order.ts';
import type { Mode } from '../core/policy.ts';
import type { Planned } from './curation/curation.ts';

export class Names {
  readonly #start: string;
  #count: number;

  /** `startedAt` in milliseconds; `count` of names that were given before. */
  constructor(run: RunId, startedAt: number, count = 0) {
    this.#start = `${run}.${Math.trunc(startedAt).toString(36)}`;
    this.#count = count;
  }

  group(): GroupId {
    return groupId(`${this.#start}.g${this.#count++}`);
  }

  batch(): BatchId {
    return batchId(`${this.#start}.b${this.#count++}`);
  }

  get count(): number {
    return this.#count;
  }
}

/** All of a group: as many as planned, of one instance and under one length cap. */
export function ordersOf(
  { instance, rollouts, maxSteps, daring }: Planned,
  { group, run, mode }: { readonly group: GroupId; readonly run: RunId; readonly mode: Mode },
): readonly Order[] {
  if (!Number.isInteger(rollouts) || rollouts < 1)
    throw new RangeError(`A group of ${rollouts} rollouts of ${instance.task} cannot be: plan 1 or more.`);
  return Array.from({ length: rollouts }, (_, index) => ({
    id: orderId(`${group}.${index}`),
    run,
    group,
    instance,
    maxSteps,
    mode,
    purpose: 'train',
    ...(daring !== undefined && index % 2 === 1 && { exploration: daring }),
  }));
}
