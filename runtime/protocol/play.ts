// The messages between the play page (a pocket desktop, used by hand) and its server: requests with ids, one reply to each, and
// events. Pixels travel as binary frames (protocol/frame.ts). Types and schemas only.

// Imported as a namespace so that a page's bundle omits the parts of zod that it does not use.
import * as z from 'zod';
import { ACTION_KINDS, type Action } from '../core/action.ts';
import { findKey } from '../core/key.ts';
import type { Element } from '../core/screen.ts';

/** Increases with every change that an older page cannot read. */
export const PLAY_VERSION = 1;
/** The URL path of the WebSocket. */
export const PLAY_PATH = '/play';

export type { Action } from '../core/action.ts';
export type { Element, Point } from '../core/screen.ts';

// Actions and elements

const pixel = z.int().min(0).max(0xffff);
const point = z.strictObject({ x: pixel, y: pixel });

const key = z.string().transform((name, context) => {
  const found = findKey(name);
  if (found !== undefined) return found;
  context.addIssue(`${JSON.stringify(name)} is not a key. Key names look like 'enter', 'ctrl', 'f5' or 'a'.`);
  return z.NEVER;
});

const written = z
  .string()
  .min(1)
  .max(2000)
  .refine(text => ![...text].some(each => each !== '\n' && /\p{Cc}/u.test(each)), {
    error:
      'The text contains control characters. Use printable characters and line breaks, and a hotkey for other keys.',
  });

const click = z.strictObject({ kind: z.literal('click'), at: point });
const doubleClick = z.strictObject({ kind: z.literal('double_click'), at: point });
const rightClick = z.strictObject({ kind: z.literal('right_click'), at: point });
const move = z.strictObject({ kind: z.literal('move'), at: point });
const drag = z.strictObject({ kind: z.literal('drag'), from: point, to: point });
const type = z.strictObject({ kind: z.literal('type'), text: written });
const hotkey = z.strictObject({ kind: z.literal('hotkey'), keys: z.tuple([key], key) });
const scroll = z.strictObject({
  kind: z.literal('scroll'),
  at: point,
  direction: z.enum(['up', 'down', 'left', 'right']),
  notches: z.int().min(1).max(100),
});
const wait = z.strictObject({ kind: z.literal('wait') });
const finished = z.strictObject({ kind: z.literal('finished'), answer: z.string() });
const fail = z.strictObject({ kind: z.literal('fail'), why: z.string() });

const gesture = z.discriminatedUnion(
  'kind',
  [click, doubleClick, rightClick, move, drag, type, hotkey, scroll, wait],
  {
    error: ({ code }) =>
      code === 'invalid_union'
        ? `must be one of ${ACTION_KINDS.slice(0, -2).join(', ')}. To end a task, send 'judge'.`
        : undefined,
  },
);

/** Every action of an agent. The page only displays 'finished' and 'fail': a user sends 'judge' instead. */
const action: z.ZodType<Action> = z.discriminatedUnion('kind', [gesture, finished, fail]);

const size = z.strictObject({ width: z.int().min(1), height: z.int().min(1) });
const element: z.ZodType<Element> = z.strictObject({
  role: z.string(),
  name: z.string(),
  value: z.string(),
  states: z.array(z.enum(['checked', 'disabled', 'editable', 'expanded', 'focused', 'pressed', 'selected'])),
  box: size.extend({ x: z.int(), y: z.int() }),
});

// Tasks

const seed = z.int().min(0).max(0xffff_ffff);
const split = z.enum(['train', 'test', 'unseen']);
const tier = z.int().min(1).max(4);

const taskEntry = z.strictObject({
  id: z.string(),
  tier,
  /** The splits that have instances of it. An unseen task has only 'unseen'. */
  splits: z.array(split).min(1),
  apps: z.array(z.string()),
  /** The instruction of one instance. */
  example: z.string(),
});

const startedTask = z.strictObject({
  id: z.string(),
  seed,
  tier,
  split,
  apps: z.array(z.string()),
  instruction: z.string(),
  maxSteps: z.int().min(1),
});

const judgement = z.strictObject({
  ending: z.enum(['finished', 'fail']),
  score: z.number().min(0).max(1),
  success: z.boolean(),
  steps: z.int().min(0),
  /** The conditions of the task, and whether each is met. */
  checks: z.array(z.strictObject({ met: z.boolean(), says: z.string() })),
});

export type PlaySplit = z.infer<typeof split>;
export type TaskEntry = z.infer<typeof taskEntry>;
export type StartedTask = z.infer<typeof startedTask>;
export type Judgement = z.infer<typeof judgement>;
/** An action as a page sends it; the server checks the names of keys. */
export type UserAction = z.input<typeof gesture>;

// Requests

const id = z.int().min(0);

export const request = z.discriminatedUnion('call', [
  /** The first request of a connection. */
  z.strictObject({ call: z.literal('hello'), id, version: z.int(), token: z.string() }),
  z.strictObject({ call: z.literal('tasks'), id, tier: tier.optional(), split: split.optional() }),
  /** Without a seed, the server draws an instance of the split. */
  z.strictObject({
    call: z.literal('start'),
    id,
    task: z.string(),
    seed: seed.optional(),
    split: split.optional(),
  }),
  /** A desktop with files and mail, without a task. */
  z.strictObject({ call: z.literal('free'), id, seed: seed.optional() }),
  z.strictObject({ call: z.literal('act'), id, action: gesture }),
  z.strictObject({ call: z.literal('judge'), id, ending: z.enum(['finished', 'fail']) }),
  /** Restarts the task and plays its scripted solution, with a pause in milliseconds before each action. */
  z.strictObject({ call: z.literal('watch'), id, pause: z.int().min(0).max(10_000) }),
  /** Stops the scripted solution. The desktop keeps its state. */
  z.strictObject({ call: z.literal('stop'), id }),
  z.strictObject({ call: z.literal('elements'), id }),
]);

export type PlayRequest = z.infer<typeof request>;
/** A request as a page sends it. */
export type PlayRequestInput = z.input<typeof request>;

// Replies and events

const ERROR_CODES = ['bad_request', 'unauthorized', 'version', 'not_now', 'busy', 'desktop'] as const;
export type PlayErrorCode = (typeof ERROR_CODES)[number];

const errorReply = z.strictObject({
  kind: z.literal('error'),
  /** Null if the request had no readable id. */
  id: id.nullable(),
  code: z.enum(ERROR_CODES),
  /** The invalid field of the request, if one is invalid. */
  field: z.string().optional(),
  message: z.string(),
});

const reply = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('welcome'), id, version: z.int(), renderer: z.string() }),
  z.strictObject({ kind: z.literal('tasks'), id, tasks: z.array(taskEntry) }),
  /** `task` is null in free play. */
  z.strictObject({ kind: z.literal('started'), id, task: startedTask.nullable(), screen: size }),
  z.strictObject({ kind: z.literal('acted'), id, steps: z.int().min(0), changed: z.boolean() }),
  z.strictObject({ kind: z.literal('judged'), id, judgement }),
  z.strictObject({ kind: z.literal('watching'), id, task: startedTask, screen: size, actions: z.int() }),
  z.strictObject({ kind: z.literal('stopped'), id }),
  z.strictObject({ kind: z.literal('elements'), id, elements: z.array(element) }),
  errorReply,
]);

/** Events while a scripted solution plays. */
const event = z.discriminatedUnion('kind', [
  /** The next action, shortly before it is executed. */
  z.strictObject({ kind: z.literal('next'), action, number: z.int().min(1), steps: z.int().min(0) }),
  z.strictObject({ kind: z.literal('watched'), judgement }),
  /** The solution failed. */
  z.strictObject({ kind: z.literal('broken'), message: z.string() }),
]);

export const message = z.union([reply, event]);

export type PlayReply = z.infer<typeof reply>;
export type PlayEvent = z.infer<typeof event>;
export type PlayMessage = z.infer<typeof message>;
