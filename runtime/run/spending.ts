// What a run with a model agent costs, and what it costs per success gained. Pure.
//
// Two numbers of successes are gained: training rollouts that succeeded, and percentage points of test success between the first and the
// last evaluation. The whole cost of the run, evaluations included, is divided by each of them. Where nothing was gained there is no quotient.

import { sum } from '../core/sum.ts';
import type { SpentTokens } from '../endpoints/budget.ts';
import type { Cost, SpentState } from '../protocol/daemon/model-run.ts';
import type { EvaluationPoint } from '../protocol/daemon/state.ts';

/** Plain data: a part of the state from which a run resumes. */
export interface Spending {
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Absent if no learner reported it. */
  readonly hardwareSeconds?: number;
  /** Of requests; absent without prices. */
  readonly money?: number;
  /** Of the tokens that trained; absent without a price of training. It does not count for the limits of an agent. */
  readonly learnerMoney?: number;
  /** Training rollouts that succeeded. */
  readonly successes: number;
}

/** What counts for the limits of an agent. */
export const spentTokens = ({ promptTokens, completionTokens, money = 0 }: Spending): SpentTokens => ({
  ...{ promptTokens, completionTokens, money },
});

export function spentState(
  { learnerMoney, ...ofRequests }: Spending,
  curve: readonly EvaluationPoint[],
): SpentState {
  const points = pointsGained(curve);
  const { successes } = ofRequests;
  const money = [ofRequests.money, learnerMoney].filter(each => each !== undefined);
  const spending = {
    ...ofRequests,
    ...(money.length > 0 && { money: sum(money) }),
    ...(learnerMoney !== undefined && { learnerMoney }),
  };
  return {
    ...spending,
    ...(points !== undefined && { points }),
    ...(successes > 0 && { perSuccess: costPer(spending, successes) }),
    ...(points !== undefined && points > 0 && { perPoint: costPer(spending, points) }),
  };
}

/** Undefined before the second evaluation. */
function pointsGained(curve: readonly EvaluationPoint[]): number | undefined {
  const tested = curve.filter(({ split }) => split === 'test');
  const [first, last] = [tested[0], tested.at(-1)];
  return first === undefined || last === undefined || tested.length < 2
    ? undefined
    : 100 * (last.rate - first.rate);
}

const costPer = (
  { promptTokens, completionTokens, hardwareSeconds, money }: Spending,
  gained: number,
): Cost => ({
  tokens: (promptTokens + completionTokens) / gained,
  ...(hardwareSeconds !== undefined && { hardwareSeconds: hardwareSeconds / gained }),
  ...(money !== undefined && { money: money / gained }),
});
