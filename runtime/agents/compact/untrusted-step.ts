// Checks a step that another machine sent, before a trainer uses it: the network indexes tables with its numbers, and one number that is not
// finite would spoil a whole update.

import * as z from 'zod';
import { messageOf } from '../../core/errors.ts';
import { type EncodedObservation, MODES, type Mode } from '../../core/policy.ts';
import { safeParse } from '../../core/safe-parse.ts';
import type { TrainingChoice } from '../../core/trace.ts';
import { KINDS } from './action-kinds.ts';
import { MAX_RECENT_ACTIONS, MAX_REMEMBERED_TEXTS } from './episode-memory.ts';
import { decode, type Observation, SQUARE_AREA } from './observation.ts';
import { MAX_ELEMENTS, MAX_PATCHES } from './observe-screen.ts';
import { StepError, sampleFrom } from './step-sample.ts';
import { STATES } from './token-numbers.ts';

const MAX_PIXELS = 32_768;
/** Windows may be partly beyond the screen. */
const place = z
  .number()
  .min(-10 * MAX_PIXELS)
  .max(10 * MAX_PIXELS);
const box = z.object({ x: place, y: place, width: place, height: place });
const side = z.int().min(1).max(MAX_PIXELS);
const count = z.int().min(0).max(1_000_000);
/** Desktops of real applications cut the texts of elements at 2,000 characters or fewer. */
const elementText = z.string().max(10_000);
/** An instruction or a typed text. Other values of joined hosts have the same limit. */
const longText = z.string().max(100_000);

const sound = z.object({
  mode: z.enum(MODES),
  size: z.object({ width: side, height: side }),
  instruction: longText,
  elements: z
    .array(
      z.object({
        ...{ role: elementText, name: elementText, value: elementText, box },
        states: z.array(z.enum(STATES)).max(STATES.length),
      }),
    )
    .max(MAX_ELEMENTS),
  firstElement: count,
  patches: z.array(box).max(MAX_PATCHES),
  recent: z
    .array(
      z.object({
        kind: z
          .int()
          .min(0)
          .max(KINDS.length - 1),
        ...{ text: longText, changed: z.boolean() },
      }),
    )
    .max(MAX_RECENT_ACTIONS),
  memory: z.array(z.object({ text: elementText, age: count })).max(MAX_REMEMBERED_TEXTS),
});

/** Throws a StepError for a step that a network of this mode cannot train on. */
export function requireSoundStep(observation: EncodedObservation, choice: TrainingChoice, mode: Mode): void {
  let decoded: Observation;
  try {
    decoded = decode(observation);
  } catch (cause) {
    throw new StepError(messageOf(cause), { cause });
  }
  const { error } = safeParse(sound, decoded);
  const [issue] = error?.issues ?? [];
  if (issue !== undefined)
    throw new StepError(
      `The observation of a step is invalid at '${issue.path.join('.')}': ${issue.message}. Remove the trajectory.`,
    );
  if (decoded.mode !== mode)
    throw new StepError(
      `A step was observed in the mode '${decoded.mode}', not '${mode}'. Remove the trajectory.`,
    );
  const squares = decoded.patches.length + (mode === 'screenshot_a11y_tree' ? decoded.elements.length : 0);
  if (decoded.squares.length !== squares * SQUARE_AREA)
    throw new StepError(
      `The observation of a step has ${decoded.squares.length} pixels instead of ${squares * SQUARE_AREA}. Remove the trajectory.`,
    );
  sampleFrom(observation, choice);
}
