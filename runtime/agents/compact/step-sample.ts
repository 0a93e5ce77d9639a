// Turns a transported step (encoded observation and choice) into a training sample. It validates the step once: a choice that
// the screen does not offer would train an impossible decision.

import { messageOf } from '../../core/errors.ts';
import type { EncodedObservation } from '../../core/policy.ts';
import type { BatchDecision, TrainingChoice } from '../../core/trace.ts';
import { type Choices, COPY_WHOLE_TEXT, usedSlots } from './act.ts';
import { HEAD_OF, SLOTS, type Slot } from './action-kinds.ts';
import { CHORDS } from './chords.ts';
import { validKinds } from './feeds.ts';
import { decode } from './observation.ts';
import { type Sample, sampleOf } from './sample.ts';
import type { Tokens } from './token-features.ts';
import { SLOTS_OF_WORDS } from './token-numbers.ts';
import { tokensOf } from './tokens.ts';

export class StepError extends Error {
  override readonly name = 'StepError';
}

/**
 * Law: the decisions of a choice, one for each used slot in the order of SLOTS, reproduce its numbers. Log-probabilities are kept
 * only where all decisions have one; demonstrations have none.
 */
export function sampleFrom(observation: EncodedObservation, choice: TrainingChoice): Sample {
  if (choice.kind === 'tokens')
    throw new StepError(
      'A step was chosen by a language model, whose tokens the built-in policy does not have. Train on trajectories of the built-in policy.',
    );
  const { decisions } = choice;
  const tokens = decodeTokens(observation);
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

function decodeTokens(observation: EncodedObservation): Tokens {
  try {
    return tokensOf(decode(observation));
  } catch (cause) {
    throw new StepError(`Cannot decode the observation of a step: ${messageOf(cause)}`, { cause });
  }
}

/** The earlier choices determine each slot: the kind is first and selects the other slots. */
function choicesIn(tokens: Tokens, decisions: readonly BatchDecision[]): Choices {
  let choices: Choices = {};
  for (const [index, { head, choice }] of decisions.entries()) {
    const slot: Slot | undefined = index === 0 ? 'kind' : usedSlots(tokens, choices)[index];
    if (slot === undefined || HEAD_OF[slot] !== head) {
      const expected = slot === undefined ? 'no decision' : `'${HEAD_OF[slot]}' (slot '${slot}')`;
      throw new StepError(
        `Decision ${index} of a step has head '${head}', expected ${expected}. It was recorded on another screen or by another version; remove the trajectory.`,
      );
    }
    if (!isOffered(tokens, slot, choice, choices)) {
      throw new StepError(
        `Decision ${index} of a step chose ${choice} for slot '${slot}', which its screen does not offer. It was recorded on another screen or by another version; remove the trajectory.`,
      );
    }
    choices = { ...choices, [slot]: choice };
  }
  const expected = decisions.length === 0 ? 1 : usedSlots(tokens, choices).length;
  if (decisions.length === expected) return choices;
  throw new StepError(
    `A step has ${decisions.length} decisions, expected ${expected}. The step is truncated; remove the trajectory.`,
  );
}

function isOffered(tokens: Tokens, slot: Slot, choice: number, before: Choices): boolean {
  const { text = 0, first = 0 } = before;
  const isCopyableWord = choice < SLOTS_OF_WORDS && tokens.sayable[text * SLOTS_OF_WORDS + choice] === 1;
  switch (slot) {
    case 'kind':
      return validKinds(tokens)[choice] === 1;
    case 'pointer':
    case 'target':
      return tokens.pointable[choice] === 1;
    case 'text':
      return tokens.copyable[choice] === 1;
    case 'end':
      return Number.isInteger(choice) && choice >= text && choice <= tokens.words;
    case 'first':
      return choice === COPY_WHOLE_TEXT || isCopyableWord;
    case 'last':
      return choice >= first && isCopyableWord;
    case 'key':
      return CHORDS[choice] !== undefined;
  }
}
