// Turns of a foreign trajectory as steps: the reply is kept as text, with its actions or the reason why it has none. Pure.

import { ActionFormatError } from '../agents/codecs/codec.ts';
import { type Action, MAX_STORED_NOTCHES, pointerAfter, pointsOf } from '../core/action.ts';
import { version } from '../core/ids.ts';
import type { Point } from '../core/screen.ts';
import type { ChosenBy, Step } from '../core/step.ts';
import type { Served, TokensTrace } from '../core/trace.ts';
import { MAX_COORDINATE, MAX_REPLY_LENGTH } from './limits.ts';

export interface ForeignTurn {
  /** The text of the model or of the annotator; '' if the source has only actions. */
  readonly raw: string;
  readonly thought?: string;
  readonly reading: TurnReading;
}

export type TurnReading =
  | { readonly kind: 'actions'; readonly actions: readonly [Action, ...Action[]] }
  | { readonly kind: 'unreadable'; readonly why: string };

/** The server of an imported reply is unknown. */
export const IMPORTED_SERVER: Served = { endpoint: 'imported', model: 'unknown', latencyMs: 0, retries: [] };
/** The version of the weights is unknown, as of a server without versions. */
const UNVERSIONED = version(0);

/** One step for each action, and one for a reply without a readable action. */
export function stepsOfTurn({ raw, thought, reading }: ForeignTurn): readonly Step[] {
  const isPlain = raw === '' && (thought ?? '') === '' && reading.kind === 'actions';
  const trace: TokensTrace = {
    ...{ kind: 'tokens', tokens: [], estimator: 'none', finish: 'stop', raw },
    ...(thought !== undefined && thought !== '' && { thought }),
    ...(reading.kind === 'unreadable' && { malformed: reading.why }),
    defects: [],
    served: IMPORTED_SERVER,
  };
  const actions: readonly Action[] =
    reading.kind === 'actions' ? reading.actions : [{ kind: 'none', why: reading.why }];
  return actions.map((action, index): Step => {
    const chosen: ChosenBy = {
      version: UNVERSIONED,
      trace: index === 0 ? trace : { kind: 'same-turn' },
    };
    return { action, meant: [], ...(!isPlain && { chosen }) };
  });
}

/** Further actions of a reply that an earlier step has. */
export const laterSteps = (actions: readonly Action[]): readonly Step[] =>
  actions.map(action => ({
    action,
    meant: [],
    chosen: { version: UNVERSIONED, trace: { kind: 'same-turn' } },
  }));

/** Reads the actions of a turn; an unreadable or absurd one is a reading with the reason. */
export function readingOfTurn(text: string, read: () => readonly Action[]): TurnReading {
  if (text.length > MAX_REPLY_LENGTH)
    return {
      kind: 'unreadable',
      why: `the reply has ${text.length} characters, the limit is ${MAX_REPLY_LENGTH}`,
    };
  try {
    const [first, ...rest] = read();
    if (first === undefined) return { kind: 'unreadable', why: 'no action found' };
    const absurd = [first, ...rest].map(whyAbsurd).find(why => why !== undefined);
    return absurd === undefined
      ? { kind: 'actions', actions: [first, ...rest] }
      : { kind: 'unreadable', why: absurd };
  } catch (error) {
    if (!(error instanceof ActionFormatError)) throw error;
    return { kind: 'unreadable', why: error.reason };
  }
}

function whyAbsurd(action: Action): string | undefined {
  const far = pointsOf(action).find(({ x, y }) => x > MAX_COORDINATE || y > MAX_COORDINATE);
  if (far !== undefined) return `the position (${far.x}, ${far.y}) is on no screen`;
  if (action.kind === 'scroll' && action.notches > MAX_STORED_NOTCHES)
    return `a scroll of ${action.notches} notches exceeds the limit of ${MAX_STORED_NOTCHES}`;
  return undefined;
}

/** The pointer after all actions of a turn. */
export const pointerAfterTurn = (reading: TurnReading, before: Point | undefined): Point | undefined =>
  reading.kind === 'unreadable'
    ? before
    : reading.actions.reduce<Point | undefined>((at, action) => pointerAfter(action) ?? at, before);

/** A turn of a stored trajectory: the step with the reply, and the later actions of the same reply. */
export interface StoredTurn {
  readonly actions: readonly [Action, ...Action[]];
  /** The index of its first step. */
  readonly at: number;
  /** Absent if no language model chose it. */
  readonly reply?: TokensTrace;
}

export function turnsOf(steps: readonly Step[]): readonly StoredTurn[] {
  const turns: StoredTurn[] = [];
  for (const [at, { action, chosen }] of steps.entries()) {
    const last = turns.at(-1);
    if (chosen?.trace.kind === 'same-turn' && last !== undefined)
      turns[turns.length - 1] = { ...last, actions: [...last.actions, action] };
    else
      turns.push({ at, actions: [action], ...(chosen?.trace.kind === 'tokens' && { reply: chosen.trace }) });
  }
  return turns;
}

/** Replies of one action each: where a format cannot hold several in one turn. */
export const singly = ({ actions, at, reply }: StoredTurn): readonly StoredTurn[] =>
  actions.map((action, index) => ({
    ...{ actions: [action], at: at + index },
    ...(index === 0 && reply !== undefined && { reply }),
  }));

/** The number of the step whose action a format cannot hold: from 1, as in the Inspector. */
export const refusedStep = ({ actions, at }: StoredTurn, { value }: ActionFormatError): number =>
  at + Math.max(0, actions.indexOf(value as Action)) + 1;

export const sameActions = (one: readonly Action[], other: readonly Action[]): boolean =>
  JSON.stringify(one.map(sorted)) === JSON.stringify(other.map(sorted));

/** With its keys in a fixed order. */
const sorted = (action: Action): object =>
  Object.fromEntries(Object.entries(action).sort(([one], [other]) => (one < other ? -1 : 1)));
