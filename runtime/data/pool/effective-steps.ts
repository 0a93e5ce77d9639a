// The steps of a success that are worth imitating: those that changed what the policy sees. Pure.

import { decode, ENCODING, EncodingError, type Observation } from '../../agents/compact/observation.ts';
import type { LessonStep } from '../../core/lesson.ts';
import type { Element } from '../../core/screen.ts';

/**
 * The last step stays, because no screen follows it. A step stays too if its observation or the next one cannot be read: the trainer
 * reports damaged ones, and other agents have their own encodings.
 */
export function effectiveSteps(steps: readonly LessonStep[]): readonly LessonStep[] {
  if (steps.length < 2) return steps;
  const seen = steps.map(({ observation }) => screenOf(observation));
  return steps.filter((_, index) => seen[index] === undefined || seen[index] !== seen[index + 1]);
}

function screenOf(observation: LessonStep['observation']): string | undefined {
  if (observation.encoding !== ENCODING) return undefined;
  try {
    return visible(decode(observation));
  } catch (error) {
    if (error instanceof EncodingError) return undefined;
    throw error;
  }
}

/**
 * The part of an observation that an effect changes. Recent actions and remembered texts differ after every step. The focus counts only where
 * text can be written: a double click checks a box and clears it again, but leaves the focus there.
 */
const visible = ({ elements, patches, squares }: Observation): string =>
  JSON.stringify([elements.map(withoutIdleFocus), patches, Buffer.from(squares).toString('latin1')]);

const withoutIdleFocus = (element: Element): Element =>
  element.states.includes('editable')
    ? element
    : { ...element, states: element.states.filter(state => state !== 'focused') };
