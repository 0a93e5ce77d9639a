// Schemas of what a joined host sends about a desktop that a person has taken over, with bounds.

import * as z from 'zod';
import { STATES } from '../../agents/compact/token-numbers.ts';
import type { Failure } from '../../core/failure.ts';
import type { LoanCall } from '../../core/loan.ts';
import type { Element, Pixels } from '../../core/screen.ts';
import { boundary, instance, score } from '../../data/files/schema.ts';
import { box } from '../../protocol/daemon/screen.ts';
import { action, frame, MAX_STEPS, name, text } from './host-schemas.ts';

const MAX_SIDE = 32_768;
const MAX_ELEMENTS = 50_000;

const side = z.int().min(1).max(MAX_SIDE);

const pixels: z.ZodType<Pixels> = z
  .strictObject({
    width: side,
    height: side,
    layout: z.enum(['rgb', 'rgba']),
    data: z.instanceof(Uint8Array),
  })
  .refine(
    ({ width, height, layout, data }) => data.length === width * height * layout.length,
    'the number of bytes does not fit the size',
  );

const element: z.ZodType<Element> = z.strictObject({
  ...{ role: name, name: text, value: text, box },
  states: z.array(z.enum(STATES)).max(STATES.length),
});

const screen = {
  elements: z.array(element).max(MAX_ELEMENTS).exactOptional(),
  isOver: z.literal(true).exactOptional(),
};
const lentScreen = z.strictObject({ ...screen, pixels: pixels.exactOptional() });
/** A message leaves out a property without a value. */
const nothing = z.undefined().optional();

const lentDesktop = z.strictObject({
  renderer: name.exactOptional(),
  ...{ canLook: z.boolean(), canClickAgain: z.boolean() },
  episode: z.strictObject({
    ...{ instance, instruction: text, actions: z.array(action).max(MAX_STEPS) },
    images: z
      .array(frame)
      .max(MAX_STEPS + 1)
      .exactOptional(),
    screen: z.strictObject({ ...screen, pixels }),
  }),
});

/** Of the reply to each call. */
const VALUES: Readonly<Record<LoanCall['kind'], z.ZodType>> = {
  borrow: lentDesktop,
  reset: lentScreen.extend({ instruction: text.exactOptional() }),
  act: lentScreen,
  look: lentScreen,
  clickAgain: lentScreen,
  // Evaluators check what they read, on every desktop.
  query: z.unknown().optional(),
  setup: nothing,
  judge: z.strictObject({ score, why: text }),
  keep: nothing,
  hold: nothing,
  return: nothing,
};

const failure: z.ZodType<Failure> = z.strictObject({
  ...{ boundary, thing: name, message: text, isPermanent: z.literal(true).exactOptional() },
});

/** The number of the last request that arrived. */
export const fetchedAfter = z.strictObject({ after: z.int().min(0) });

/** Names its request. */
export const anyReply = z.looseObject({ request: name });

export const replyTo = ({ kind }: LoanCall) =>
  z.union([
    z.strictObject({ request: name, failure }),
    z.strictObject({ request: name, value: VALUES[kind] }),
  ]);
