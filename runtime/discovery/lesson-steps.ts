// A step that was retold, as a lesson has it. Pure.

import { HEAD_OF, SLOTS } from '../agent/action-kinds.ts';
import { encode, type Observation } from '../agent/observation.ts';
import type { Sample } from '../agent/sample.ts';
import type { LessonStep } from '../core/lesson.ts';

export const lessonStepOf = (seen: Observation, { chosen, used }: Sample): LessonStep => ({
  observation: encode(seen),
  decisions: SLOTS.flatMap((slot, index) =>
    used[index] === 1 ? [{ head: HEAD_OF[slot], choice: chosen[index] ?? 0 }] : [],
  ),
});
