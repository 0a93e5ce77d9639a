// Converts replayed and demonstrated steps into the steps of lessons. Pure.

import { choicesFor, slotNumbers } from '../agents/compact/act.ts';
import { HEAD_OF, SLOTS } from '../agents/compact/action-kinds.ts';
import { ground } from '../agents/compact/grounding.ts';
import { decode, encode, type Observation } from '../agents/compact/observation.ts';
import type { Sample } from '../agents/compact/sample.ts';
import { tokensOf } from '../agents/compact/tokens.ts';
import type { Action } from '../core/action.ts';
import type { Lesson, LessonStep } from '../core/lesson.ts';
import type { Random } from '../core/rng.ts';
import type { Step } from '../core/step.ts';
import type { BatchDecision, HeadsChoice } from '../core/trace.ts';
import type { ReplayedStep } from './replay/replay-as-samples.ts';

/** The decisions that a sample uses. */
export const choiceOf = ({ chosen, used }: Pick<Sample, 'chosen' | 'used'>): HeadsChoice => ({
  kind: 'heads',
  decisions: SLOTS.flatMap((slot, index): readonly BatchDecision[] => {
    const choice = chosen[index];
    return used[index] === 1 && choice !== undefined ? [{ head: HEAD_OF[slot], choice }] : [];
  }),
});

export const lessonStepOf = ({
  observation,
  sample,
}: Pick<ReplayedStep, 'observation' | 'sample'>): LessonStep => ({
  observation: encode(observation),
  choice: choiceOf(sample),
});

/**
 * The choice with which the built-in policy would have made a step of a demonstration, which records actions alone. Undefined when the
 * policy cannot express the action, or the step has no observation.
 */
export function restoredChoice({ action, observation }: Step): HeadsChoice | undefined {
  return observation && choiceFor(action, decode(observation));
}

/** The choice that produces an action; undefined when the policy cannot express it. */
export function choiceFor(action: Action, observation: Observation): HeadsChoice | undefined {
  const tokens = tokensOf(observation);
  const choices = choicesFor(tokens, observation.instruction, action);
  return choices && choiceOf(slotNumbers(tokens, choices));
}

/** Lessons of one step each, whose instruction names the element to act on. A screen without a fitting element has none. */
export const groundingLessons = (steps: readonly ReplayedStep[], random: Random): readonly Lesson[] =>
  steps.flatMap(({ observation, elements }) => {
    const grounded = ground(observation, elements, random);
    if (grounded === undefined) return [];
    return [{ sort: 'grounding', kind: grounded.kind, steps: [lessonStepOf(grounded)] } as const];
  });
