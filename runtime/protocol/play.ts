// The messages between the play page (a pocket desktop, used by hand) and its server: requests and replies in the format of the daemon,
// and events. Pixels travel as binary frames (protocol/frame.ts). Types and schemas only.

// Imported as a namespace so that a page's bundle omits the parts of zod that it does not use.
import * as z from 'zod';
import { findKey } from '../core/key.ts';
import { count, empty, hello, REPLIES, requestSchema } from './daemon/schemas.ts';
import { action, element, gestures } from './daemon/screen.ts';

/** Increases with every change that an older page cannot read. */
export const PLAY_VERSION = 2;
/** The URL path of the WebSocket. */
export const PLAY_PATH = '/play';

export type { Action } from '../core/action.ts';
export type { Element, Point } from '../core/screen.ts';

const pixel = z.int().min(0).max(0xffff);

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

const userGestures = gestures({
  point: z.strictObject({ x: pixel, y: pixel }),
  key,
  text: written,
  notches: z.int().min(1).max(100),
});
const gestureKinds = userGestures.map(({ shape }) => shape.kind.value);

/** To end a task, a user sends 'judge' instead of the actions 'finished' and 'fail'. */
const gesture = z.discriminatedUnion('kind', userGestures, {
  error: ({ code }) =>
    code === 'invalid_union'
      ? `must be one of ${gestureKinds.join(', ')}. To end a task, send 'judge'.`
      : undefined,
});

const size = z.strictObject({ width: z.int().min(1), height: z.int().min(1) });
const seed = z.int().min(0).max(0xffff_ffff);
const split = z.enum(['train', 'test', 'unseen']);
const tier = z.int().min(1).max(4);
const ending = z.enum(['finished', 'fail']);

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
  ending,
  score: z.number().min(0).max(1),
  success: z.boolean(),
  steps: count,
  /** The conditions of the task, and whether each is met. */
  checks: z.array(z.strictObject({ met: z.boolean(), says: z.string() })),
});

export type PlaySplit = z.infer<typeof split>;
export type TaskEntry = z.infer<typeof taskEntry>;
export type StartedTask = z.infer<typeof startedTask>;
export type Judgement = z.infer<typeof judgement>;
/** An action as a page sends it; the server checks the names of keys. */
export type UserAction = z.input<typeof gesture>;

export const request = z.discriminatedUnion('method', [
  /** The first request of a connection. */
  hello,
  requestSchema('tasks', z.strictObject({ tier: tier.optional(), split: split.optional() })),
  /** Without a seed, the server draws an instance of the split. */
  requestSchema(
    'start',
    z.strictObject({ task: z.string(), seed: seed.optional(), split: split.optional() }),
  ),
  /** A desktop with files and mail, without a task. */
  requestSchema('free', z.strictObject({ seed: seed.optional() })),
  requestSchema('act', z.strictObject({ action: gesture })),
  requestSchema('judge', z.strictObject({ ending })),
  /** Restarts the task and plays its scripted solution, with a pause in milliseconds before each action. */
  requestSchema('watch', z.strictObject({ pause: z.int().min(0).max(10_000) })),
  /** Stops the scripted solution. The desktop keeps its state. */
  requestSchema('stop', empty),
  requestSchema('elements', empty),
]);

export type PlayRequest = z.infer<typeof request>;
export type PlayMethod = PlayRequest['method'];
/** The parameters as a page sends them. */
export type PlayParams<M extends PlayMethod> = Extract<z.input<typeof request>, { method: M }>['params'];

const RESULTS = {
  hello: z.strictObject({ version: z.int(), renderer: z.string() }),
  tasks: z.strictObject({ tasks: z.array(taskEntry) }),
  start: z.strictObject({ task: startedTask, screen: size }),
  free: z.strictObject({ screen: size }),
  act: z.strictObject({ steps: count, changed: z.boolean() }),
  judge: judgement,
  watch: z.strictObject({ task: startedTask, screen: size, actions: count }),
  stop: empty,
  elements: z.strictObject({ elements: z.array(element) }),
};

export type PlayResults = { readonly [M in PlayMethod]: z.infer<(typeof RESULTS)[M]> };
export const PLAY_RESULTS: { readonly [M in PlayMethod]: z.ZodType<PlayResults[M]> } = RESULTS;

/** Events while a scripted solution plays. */
const event = z.discriminatedUnion('method', [
  /** The next action, shortly before it is executed. */
  z.strictObject({
    method: z.literal('next'),
    params: z.strictObject({ action, number: z.int().min(1), steps: count }),
  }),
  z.strictObject({ method: z.literal('watched'), params: judgement }),
  /** The solution failed. */
  z.strictObject({ method: z.literal('broken'), params: z.strictObject({ message: z.string() }) }),
]);

export const message = z.union([...REPLIES, event]);

export type PlayEvent = z.infer<typeof event>;
export type PlayMessage = z.infer<typeof message>;
