// A step that was retold, as a lesson has it. Pure.

import type { LessonStep } from '../../contracts/lesson.ts';
import { HEAD_OF, SLOTS } from '../../policy/kinds.ts';
import type { Sample } from '../../policy/sample.ts';
import { encode, type Seen } from '../../policy/seen.ts';

export const lessonStepOf = (seen: Seen, { chosen, used }: Sample): LessonStep => ({
  observation: encode(seen),
  decisions: SLOTS.flatMap((slot, index) =>
    used[index] === 1 ? [{ head: HEAD_OF[slot], choice: chosen[index] ?? 0 }] : [],
  ),
});
