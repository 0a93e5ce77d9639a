// Turns outputs of the deciding program into choices: the action, its decisions with their log-probabilities, and the most likely
// alternatives. step-sample.ts converts recorded decisions back to choices.

import { at } from '../../core/at.ts';
import type { Alternative, Decision } from '../../core/decision.ts';
import type { Version } from '../../core/ids.ts';
import type { Choice } from '../../core/policy.ts';
import { type Tensors, tensorNamed, tensorValue } from '../../graph/tensor.ts';
import { actionOf, candidatesOf, usedSlots } from './act.ts';
import { HEAD_OF, type Slot } from './action-kinds.ts';
import { distribution, sampledRows } from './decide.ts';
import { boxAt, type LabelContext, labelOf } from './decision-labels.ts';
import { validOf } from './programs.ts';

/** Alternatives that a decision keeps. */
const MAX_ALTERNATIVES = 4;
/** Less likely alternatives are dropped. */
const MIN_ALTERNATIVE_PROBABILITY = 0.01;

/** The choice for each row of a batch. */
export function choicesMade(
  outputs: Tensors,
  rows: readonly LabelContext[],
  version: Version,
): readonly Choice[] {
  return sampledRows(outputs, rows.length).map(({ choices }, row) => {
    const context = at(rows, row);
    const { tokens, observation } = context;
    return {
      action: actionOf(tokens, observation.instruction, choices),
      meant: candidatesOf(tokens, choices),
      decisions: usedSlots(tokens, choices).map(slot =>
        decisionOf(
          context,
          choices,
          slot,
          distribution(outputs, slot, row, rows.length),
          tensorValue(tensorNamed(outputs, validOf(slot)), row),
        ),
      ),
      version,
    };
  });
}

function decisionOf(
  context: LabelContext,
  choices: Readonly<Record<Slot, number>>,
  slot: Slot,
  logProbabilities: Float32Array,
  valid: number,
): Decision {
  const choice = choices[slot];
  let entropy = 0;
  const alternatives: { readonly choice: number; readonly logProbability: number }[] = [];
  for (let other = 0; other < logProbabilities.length; other++) {
    const logProbability = logProbabilities[other] ?? Number.NaN;
    const probability = Math.exp(logProbability);
    entropy -= probability * logProbability;
    if (probability >= MIN_ALTERNATIVE_PROBABILITY) alternatives.push({ choice: other, logProbability });
  }
  alternatives.sort((a, b) => b.logProbability - a.logProbability);
  return {
    head: HEAD_OF[slot],
    choice,
    choices: valid,
    logProbability: at(logProbabilities, choice),
    // Rounding can make the entropy of a certain choice slightly negative.
    entropy: Math.max(0, entropy),
    alternatives: alternatives.slice(0, MAX_ALTERNATIVES).map((each): Alternative => {
      const box = HEAD_OF[slot] === 'pointer' ? boxAt(context, each.choice) : undefined;
      return {
        ...each,
        label: labelOf(context, choices, slot, each.choice),
        ...(box !== undefined && { box }),
      };
    }),
  };
}
