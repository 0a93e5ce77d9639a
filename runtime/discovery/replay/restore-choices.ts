// Finds the choices with which a policy would have made a step of a demonstration, which records actions alone.

import { choicesFor, slotNumbers } from '../../agent/act.ts';
import { decode } from '../../agent/observation.ts';
import { tokensOf } from '../../agent/tokens.ts';
import type { BatchDecision } from '../../core/batch.ts';
import type { Step } from '../../core/step.ts';
import { decisionsOf } from '../lesson-steps.ts';

/** Undefined when a policy cannot express the action, or the step has no observation. */
export function restoredChoices({ action, observation }: Step): readonly BatchDecision[] | undefined {
  if (observation === undefined) return undefined;
  const decoded = decode(observation);
  const tokens = tokensOf(decoded);
  const choices = choicesFor(tokens, decoded.instruction, action);
  return choices && decisionsOf(slotNumbers(tokens, choices));
}
