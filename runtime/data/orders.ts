// Creates the orders of a planned group, and the ids of groups and batches. Ids contain the start time of the process, so they stay
// unique even if a process resumes from an older checkpoint.

import { type BatchId, batchId, type GroupId, groupId, orderId, type RunId } from '../core/ids.ts';
import type { Order } from '../core/order.ts';
import type { Mode } from '../core/policy.ts';
import type { PlannedGroup } from './curation/curation.ts';

export class IdGenerator {
  readonly #start: string;
  #count: number;

  /** `startedAt` in milliseconds since 1970; `count` is the number of ids already used. */
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

/** All orders of a group: one instance and one length cap. Every second order uses the extra exploration, if any. */
export function ordersOf(
  { instance, rollouts, maxSteps, extraExploration }: PlannedGroup,
  { group, run, mode }: { readonly group: GroupId; readonly run: RunId; readonly mode: Mode },
): readonly Order[] {
  if (!Number.isInteger(rollouts) || rollouts < 1)
    throw new RangeError(`Cannot order ${rollouts} rollouts of the task ${instance.task}. Plan at least 1.`);
  return Array.from({ length: rollouts }, (_, index) => ({
    id: orderId(`${group}.${index}`),
    run,
    group,
    instance,
    maxSteps,
    mode,
    purpose: 'train',
    ...(extraExploration !== undefined && index % 2 === 1 && { exploration: extraExploration }),
  }));
}
