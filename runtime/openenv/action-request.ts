// The action of a step: an action of Dartboard as an object, or pyautogui code. An object of the wrong shape is an invalid message. Code
// that cannot be read, and a point off the screen, are mistakes of the agent: the step happens, with an error in its observation.

import * as z from 'zod';
import { ActionFormatError } from '../agents/codecs/codec.ts';
import { readCode } from '../agents/codecs/pyautogui.ts';
import { type Action, MAX_NOTCHES } from '../core/action.ts';
import { actionError } from '../core/action-error.ts';
import { findKey } from '../core/key.ts';
import { safeParse } from '../core/safe-parse.ts';
import type { Point, Size } from '../core/screen.ts';
import { invalidFields, invalidMessage } from './wire.ts';

const MAX_PIXEL = 0xffff;
const MAX_TEXT = 5000;
const MAX_CODE = 20_000;

const pixel = z.int().min(0).max(MAX_PIXEL);

const key = z
  .string()
  .describe("The name of a key, such as 'enter', 'ctrl', 'f5' or 'a'.")
  .transform((name, context) => {
    const found = findKey(name);
    if (found !== undefined) return found;
    context.addIssue(
      `${JSON.stringify(name)} is not a key. Key names look like 'enter', 'ctrl', 'f5' or 'a'.`,
    );
    return z.NEVER;
  });

const point = z.strictObject({ x: pixel, y: pixel }).describe('A pixel of the screen, from the top left.');
const at = { at: point };

/** All kinds but `none`. */
const kinds = [
  z.strictObject({ kind: z.literal('click'), ...at }),
  z.strictObject({ kind: z.literal('double_click'), ...at }),
  z.strictObject({ kind: z.literal('right_click'), ...at }),
  z.strictObject({ kind: z.literal('middle_click'), ...at }),
  z.strictObject({ kind: z.literal('triple_click'), ...at }),
  z.strictObject({ kind: z.literal('move'), ...at }),
  z.strictObject({ kind: z.literal('drag'), from: point, to: point }),
  z.strictObject({ kind: z.literal('type'), text: z.string().max(MAX_TEXT) }),
  z.strictObject({ kind: z.literal('hotkey'), keys: z.tuple([key], key) }),
  z.strictObject({
    kind: z.literal('scroll'),
    ...at,
    direction: z.enum(['up', 'down', 'left', 'right']),
    notches: z.int().min(1).max(MAX_NOTCHES),
  }),
  z.strictObject({ kind: z.literal('wait') }),
  z
    .strictObject({ kind: z.literal('finished'), answer: z.string().max(MAX_TEXT).default('') })
    .describe('Ends the episode: the task is done.'),
  z
    .strictObject({ kind: z.literal('fail'), why: z.string().max(MAX_TEXT).default('') })
    .describe('Ends the episode: the task is impossible.'),
] as const;
const kindNames = kinds.map(({ shape }) => shape.kind.value).join(', ');

const written = z.discriminatedUnion('kind', kinds, {
  error: ({ code }) => (code === 'invalid_union' ? `must be one of ${kindNames}` : undefined),
});
const coded = z
  .strictObject({ code: z.string().min(1).max(MAX_CODE) })
  .describe(
    "pyautogui calls, such as `pyautogui.click(10, 20)`, or the words WAIT, DONE and FAIL. The code is parsed, never run. Each call counts as a step of the task's limit.",
  );

export const actionSchema = z.union([written, coded]);

/** The actions of one step, in order. Never empty. */
export interface RequestedActions {
  readonly actions: readonly [Action, ...Action[]];
  /** Why nothing can be performed; `actions` is the single action `none` then. */
  readonly error?: string;
}

export type ActionRequest = { readonly action: Action } | { readonly code: string };

/**
 * Throws a ServedError. Fields that are null count as absent, because typed clients send all fields. The field `metadata` of the official
 * action class is ignored.
 */
export function parseActionRequest(
  data: Readonly<Record<string, unknown>>,
  at: readonly string[] = [],
): ActionRequest {
  const { metadata: _, ...rest } = data;
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
  if (Object.hasOwn(given, 'code')) {
    const parsed = safeParse(coded, given);
    if (parsed.success) return parsed.data;
    throw invalidMessage(invalidFields(parsed.error, at));
  }
  const parsed = safeParse(written, given);
  if (parsed.success) return { action: parsed.data };
  throw invalidMessage(invalidFields(parsed.error, at));
}

/** `pointer` is the position of the pointer, for code without one: `pyautogui.click()`. */
export function requestedActions(
  request: ActionRequest,
  screen: Size,
  pointer: Point | undefined,
): RequestedActions {
  try {
    const actions =
      'code' in request ? readCode(request.code, { pointer, maxNotches: MAX_NOTCHES }) : [request.action];
    const [first, ...more] = actions;
    if (first === undefined) return mistake('the code contains no action; write at least one call');
    const error = actions.map(action => actionError(action, screen)).find(found => found !== undefined);
    return error === undefined ? { actions: [first, ...more] } : mistake(error);
  } catch (error) {
    if (error instanceof ActionFormatError) return mistake(error.message);
    throw error;
  }
}

const mistake = (error: string): RequestedActions => ({ actions: [{ kind: 'none', why: error }], error });
