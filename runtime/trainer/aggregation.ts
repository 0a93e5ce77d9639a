// The share of each row in the loss of an update, and the division of a batch into updates of constant cost. A row is a step; its tokens are those of
// its reply, or the decisions of the built-in policy. Pure.

import { sum } from '../core/sum.ts';

/** steps: the loss is the mean over the steps of an update (DART, GRPO). tokens: the mean over their tokens (DAPO). */
export const AGGREGATIONS = ['steps', 'tokens'] as const;

export interface Aggregation {
  readonly aggregation: (typeof AGGREGATIONS)[number];
  /** Tokens of an update (C3PO): the loss is divided by this number, and the rest of a batch does not train. 0: no budget. */
  readonly budget: number;
}

/**
 * The loss is the sum of the terms of the rows, each divided by its number here. The term of a row is the mean over its tokens; `tokens` has
 * their number for each row of the update.
 */
export function rowDivisors(
  tokens: readonly number[],
  { aggregation, budget }: Aggregation,
): readonly number[] {
  if (budget > 0) return tokens.map(count => budget / count);
  if (aggregation === 'steps') return tokens.map(() => tokens.length);
  const all = sum(tokens);
  return tokens.map(count => all / count);
}

/**
 * Takes rows in order until an update has its budget, then begins the next one. An update that does not reach it is left out, unless it is
 * the only one.
 */
export function withinBudget<Row>(
  rows: readonly Row[],
  tokensOf: (row: Row) => number,
  budget: number,
): readonly (readonly Row[])[] {
  const full: Row[][] = [];
  let [open, count]: [Row[], number] = [[], 0];
  for (const row of rows) {
    open.push(row);
    count += tokensOf(row);
    if (count < budget) continue;
    full.push(open);
    [open, count] = [[], 0];
  }
  return full.length === 0 && open.length > 0 ? [open] : full;
}
