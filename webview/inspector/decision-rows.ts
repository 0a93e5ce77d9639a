// The rows of a decision: its likeliest choices, the one that was chosen, and all others together. Pure.

import type { DecisionDetail } from '../../runtime/protocol/daemon/trajectories.ts';

export interface ChoiceRow {
  /** Absent for a chosen one that is not among the stored alternatives. */
  readonly label?: string;
  readonly probability: number;
  readonly isChosen: boolean;
}

interface DecisionRows {
  readonly rows: readonly ChoiceRow[];
  /** Absent if they are unlikely, or none. */
  readonly others?: { readonly count: number; readonly probability: number };
}

const MAX_ALTERNATIVES = 6;
const LEAST_SHARE = 0.01;

export function decisionRows({ choices, probability, alternatives }: DecisionDetail): DecisionRows {
  const likeliest: readonly ChoiceRow[] = alternatives.slice(0, MAX_ALTERNATIVES);
  const isShown = likeliest.some(({ isChosen }) => isChosen);
  const rows = isShown ? likeliest : [...likeliest, { probability, isChosen: true }];
  const rest = 1 - rows.reduce((sum, row) => sum + row.probability, 0);
  const count = choices - rows.length;
  return { rows, ...(count > 0 && rest > LEAST_SHARE && { others: { count, probability: rest } }) };
}
