// Groups with their ledger, which tests fill with orders and rollouts.

import { batchId, groupId, orderId, version } from '../../runtime/core/ids.ts';
import { seeded } from '../../runtime/core/rng.ts';
import type { GroupDecision } from '../../runtime/data/files/decision-lines.ts';
import { Groups, type GroupsOptions } from '../../runtime/data/groups.ts';
import { PositiveReplay } from '../../runtime/data/pool/positive-replay.ts';
import { NO_SHAPING } from '../../runtime/data/reward-shaping.ts';
import { RolloutLedger } from '../../runtime/data/rollout-ledger.ts';
import { rolloutOf } from '../../runtime/data/rollouts.ts';
import { finished, INSTANCE, type Told } from './finished-episodes.ts';

export function gathering(
  options: Partial<
    Pick<
      GroupsOptions,
      | 'trajectoriesPerBatch'
      | 'stepsPerBatch'
      | 'successPool'
      | 'previous'
      | 'advantages'
      | 'shaping'
      | 'positives'
    >
  > = {},
) {
  const ledger = new RolloutLedger();
  const decided: GroupDecision[] = [];
  const groups = new Groups({
    maxStaleness: 1,
    trajectoriesPerBatch: 4,
    stepsPerBatch: 1000,
    successPool: true,
    ...{ advantages: 'steps', shaping: NO_SHAPING },
    positives: new PositiveReplay({ share: 0, perBatch: 1 }, seeded('test')),
    ...options,
    ledger,
    onDecision: each => decided.push(each),
  });
  return {
    groups,
    ledger,
    decided,
    order: (name: string, rollouts: number) => {
      const orders = Array.from({ length: rollouts }, (_, index) => orderId(`${name}${index}`));
      groups.open(groupId(name), INSTANCE, orders);
    },
    back: (order: string, told: Told, now = 0) =>
      groups.receive(orderId(order), rolloutOf(finished(order, told)), version(now)),
    gather: (now = 0) => groups.batch(() => batchId('b'), version(now)),
    batch: (now = 0) => groups.batch(() => batchId('b'), version(now))?.batch,
  };
}

export const [WON, LOST, BROKE] = [{ score: 1 }, { score: 0 }, { score: undefined }];
