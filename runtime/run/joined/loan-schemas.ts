// Schemas of what a joined host and the daemon send each other about a desktop that a person has taken over, with bounds.

import * as z from 'zod';
import { STATES } from '../../agents/compact/token-numbers.ts';
import { MAX_STORED_NOTCHES } from '../../core/action.ts';
import type { Failure } from '../../core/failure.ts';
import type { LoanCall } from '../../core/loan.ts';
import type { Element, Pixels } from '../../core/screen.ts';
import { boundary, ending, instance, score } from '../../data/files/schema.ts';
import { box } from '../../protocol/daemon/screen.ts';
import { action, actionsOf, desktop, frame, MAX_COORDINATE, MAX_STEPS, name, text } from './host-schemas.ts';
import { MAX_FETCHED, type NumberedRequest } from './loan-desk.ts';

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

/** Pages report fractions of a pixel, also beyond the edges of the screen. */
const coordinate = z.number().min(-MAX_COORDINATE).max(MAX_COORDINATE);
const point = z.strictObject({ x: coordinate, y: coordinate });
/** Each kind of desktop checks its own steps and getters, as it does those of tasks. */
const typed = z.looseObject({ type: name });

const call: z.ZodType<LoanCall> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('borrow'), desktop, who: name }),
  z.strictObject({ kind: z.literal('reset'), instance }),
  z.strictObject({
    kind: z.literal('act'),
    action: actionsOf(point, z.number().min(-MAX_STORED_NOTCHES).max(MAX_STORED_NOTCHES)),
  }),
  z.strictObject({ kind: z.literal('look') }),
  z.strictObject({ kind: z.literal('clickAgain'), at: point, press: z.literal([2, 3]) }),
  z.strictObject({ kind: z.literal('query'), getter: typed }),
  z.strictObject({
    kind: z.literal('setup'),
    step: typed.extend({ parameters: z.record(z.string(), z.unknown()).exactOptional() }),
  }),
  z.strictObject({ kind: z.literal('judge'), ending }),
  z.strictObject({ kind: z.literal('keep') }),
  z.strictObject({ kind: z.literal('hold') }),
  z.strictObject({ kind: z.literal('return') }),
]);

/** The reply to a fetch. */
export const fetchedRequests: z.ZodType<readonly NumberedRequest[]> = z
  .array(z.strictObject({ number: z.int().min(1), request: z.strictObject({ id: name, loan: name, call }) }))
  .max(MAX_FETCHED);
