// From what the deciding program gives to what is told of it: which action was chosen, which decisions led to it, how likely each
// was, and what was nearly chosen instead. The way back, from recorded decisions to choices, is in step-sample.ts.

import type { Alternative, Decision } from '../core/decision.ts';
import type { Version } from '../core/ids.ts';
import type { Choice } from '../core/policy.ts';
import type { Tensors } from '../graph/tensor.ts';
import { actionOf, candidatesOf, usedSlots } from './act.ts';
import { HEAD_OF, type Slot } from './action-kinds.ts';
import { distribution, sampledRows } from './decide.ts';
import { boxAt, type LabelContext, labelOf } from './decision-labels.ts';
import { validOf } from './programs.ts';

/** So many alternatives of a decision are kept, … */
const MOST_ALTERNATIVES = 4;
/** … and none that is less likely than this. */
const LEAST = 0.01;

/** What the deciding program chose for each row of a batch. */
export function choicesMade(
  outputs: Tensors,
  rows: readonly LabelContext[],
  version: Version,
): readonly Choice[] {
  return sampledRows(outputs, rows.length).flatMap(({ choices }, row) => {
    const shown = rows[row];
    if (shown === undefined) return [];
    const { tokens, seen } = shown;
    return {
      action: actionOf(tokens, seen.instruction, choices),
      meant: candidatesOf(tokens, choices),
      decisions: usedSlots(tokens, choices).map(slot =>
        decisionOf(
          shown,
          choices,
          slot,
          distribution(outputs, slot, row, rows.length),
          Number(outputs[validOf(slot)]?.data[row]),
        ),
      ),
      version,
    };
  });
}

function decisionOf(
  shown: LabelContext,
  choices: Readonly<Record<Slot, number>>,
  slot: Slot,
  logProbabilities: Float32Array,
  valid: number,
): Decision {
  const choice = choices[slot];
  let entropy = 0;
  const likely: { readonly choice: number; readonly logProbability: number }[] = [];
  for (let other = 0; other < logProbabilities.length; other++) {
    const logProbability = logProbabilities[other] ?? Number.NaN;
    const probability = Math.exp(logProbability);
    entropy -= probability * logProbability;
    if (probability >= LEAST) likely.push({ choice: other, logProbability });
  }
  likely.sort((a, b) => b.logProbability - a.logProbability);
  return {
    head: HEAD_OF[slot],
    choice,
    choices: valid,
    logProbability: logProbabilities[choice] ?? Number.NaN,
    // Rounding may bring what is certain a little below 0.
    entropy: Math.max(0, entropy),
    alternatives: likely.slice(0, MOST_ALTERNATIVES).map((each): Alternative => {
      const box = HEAD_OF[slot] === 'pointer' ? boxAt(shown, each.choice) : undefined;
      return {
        ...each,
        label: labelOf(shown, choices, slot, each.choice),
        ...(box !== undefined && { box }),
      };
    }),
  };
}
