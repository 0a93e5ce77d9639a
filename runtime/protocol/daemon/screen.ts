// Schemas of actions and elements as they are displayed.

// Imported as a namespace so that a page's bundle omits the parts of zod that it does not use.
import * as z from 'zod';
import type { Action } from '../../core/action.ts';
import { findKey, type Key } from '../../core/key.ts';
import type { Box, Element } from '../../core/screen.ts';

export type { Action } from '../../core/action.ts';
export type { Element, Point } from '../../core/screen.ts';

const point = z.strictObject({ x: z.number(), y: z.number() });
const key = z.custom<Key>(value => typeof value === 'string' && findKey(value) === value);

interface GestureParts<P extends z.ZodType, K extends z.ZodType, T extends z.ZodType, N extends z.ZodType> {
  readonly point: P;
  readonly key: K;
  readonly text: T;
  readonly notches: N;
}

/** The actions on a screen. The parts of an action to execute are bounded, those of an executed one are not. */
export const gestures = <P extends z.ZodType, K extends z.ZodType, T extends z.ZodType, N extends z.ZodType>({
  point,
  key,
  text,
  notches,
}: GestureParts<P, K, T, N>) =>
  [
    z.strictObject({ kind: z.literal('click'), at: point }),
    z.strictObject({ kind: z.literal('double_click'), at: point }),
    z.strictObject({ kind: z.literal('right_click'), at: point }),
    z.strictObject({ kind: z.literal('middle_click'), at: point }),
    z.strictObject({ kind: z.literal('triple_click'), at: point }),
    z.strictObject({ kind: z.literal('move'), at: point }),
    z.strictObject({ kind: z.literal('drag'), from: point, to: point }),
    z.strictObject({ kind: z.literal('type'), text }),
    z.strictObject({ kind: z.literal('hotkey'), keys: z.tuple([key], key) }),
    z.strictObject({
      kind: z.literal('scroll'),
      at: point,
      direction: z.enum(['up', 'down', 'left', 'right']),
      notches,
    }),
    z.strictObject({ kind: z.literal('wait') }),
  ] as const;

/** An executed action. */
export const action: z.ZodType<Action> = z.discriminatedUnion('kind', [
  ...gestures({ point, key, text: z.string(), notches: z.number() }),
  z.strictObject({ kind: z.literal('finished'), answer: z.string() }),
  z.strictObject({ kind: z.literal('fail'), why: z.string() }),
  z.strictObject({ kind: z.literal('none'), why: z.string() }),
]);

export const box: z.ZodType<Box> = point.extend({ width: z.number(), height: z.number() });

export const element: z.ZodType<Element> = z.strictObject({
  role: z.string(),
  name: z.string(),
  value: z.string(),
  states: z.array(z.enum(['checked', 'disabled', 'editable', 'expanded', 'focused', 'pressed', 'selected'])),
  box,
});
