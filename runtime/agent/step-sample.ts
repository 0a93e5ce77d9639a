// A step as it travels, what was shown as bytes and what was decided, made into what is learned from. It is checked here, once:
// a choice that the screen does not offer would be learned as one that is impossible.

import type { BatchDecision } from '../core/batch.ts';
import type { EncodedObservation } from '../core/policy.ts';
import { ALL_OF_IT, type Choices, usedSlots } from './act.ts';
import { HEAD_OF, KINDS, SLOTS, type Slot } from './action-kinds.ts';
import { CHORDS } from './chords.ts';
import { decode } from './observation.ts';
import { type Sample, sampleOf } from './sample.ts';
import { SLOTS_OF_WORDS } from './token-numbers.ts';
import { type Tokens, tokensOf } from './tokens.ts';

export class StepError extends Error {
  override readonly name = 'StepError';
}

/**
 * Law: the decisions of a choice, one for each slot that it used in the order of SLOTS, give back its numbers. Probabilities are
 * taken where all decisions have one: a step that somebody showed has none.
 */
export function sampleFrom(observation: EncodedObservation, decisions: readonly BatchDecision[]): Sample {
  const tokens = rowOf(observation);
  const choices = choicesIn(tokens, decisions);
  const recorded = decisions.flatMap(({ logProbability = [] }) => logProbability);
  if (recorded.length < decisions.length) return sampleOf(tokens, choices);
  const used = usedSlots(tokens, choices);
  return sampleOf(
    tokens,
    choices,
    SLOTS.map(slot => recorded[used.indexOf(slot)] ?? 0),
  );
}

function rowOf(observation: EncodedObservation): Tokens {
  try {
    return tokensOf(decode(observation));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new StepError(`What a step was shown cannot be read: ${why}`, { cause });
  }
}

/** Each slot follows from the choices before it: the kind comes first, and says what else is decided. */
function choicesIn(tokens: Tokens, decisions: readonly BatchDecision[]): Choices {
  let choices: Choices = {};
  for (const [index, { head, choice }] of decisions.entries()) {
    const slot: Slot | undefined = index === 0 ? 'kind' : usedSlots(tokens, choices)[index];
    if (slot === undefined || HEAD_OF[slot] !== head) {
      const wanted = slot === undefined ? 'nothing' : `the ${HEAD_OF[slot]} ('${slot}')`;
      throw new StepError(
        `Decision ${index} of a step is one of the ${head}, where ${wanted} is decided: it was recorded for another screen or by another version.`,
      );
    }
    if (!isOffered(tokens, slot, choice, choices)) {
      throw new StepError(
        `Decision ${index} of a step chose the number ${choice} as its '${slot}', which its screen does not offer: it was recorded for another screen or by another version.`,
      );
    }
    choices = { ...choices, [slot]: choice };
  }
  const wanted = decisions.length === 0 ? 1 : usedSlots(tokens, choices).length;
  if (decisions.length === wanted) return choices;
  throw new StepError(`A step has ${decisions.length} decisions, ${wanted} are needed: it was cut short.`);
}

function isOffered(tokens: Tokens, slot: Slot, choice: number, before: Choices): boolean {
  const { text = 0, first = 0 } = before;
  const canBeSaid = choice < SLOTS_OF_WORDS && tokens.sayable[text * SLOTS_OF_WORDS + choice] === 1;
  switch (slot) {
    case 'kind':
      return KINDS[choice] !== undefined;
    case 'pointer':
    case 'target':
      return tokens.pointable[choice] === 1;
    case 'text':
      return tokens.copyable[choice] === 1;
    case 'end':
      return Number.isInteger(choice) && choice >= text && choice <= tokens.words;
    case 'first':
      return choice === ALL_OF_IT || canBeSaid;
    case 'last':
      return choice >= first && canBeSaid;
    case 'key':
      return CHORDS[choice] !== undefined;
  }
}
