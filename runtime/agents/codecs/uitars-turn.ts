// Reads a turn of UI-TARS: the thought, and the calls after the label "Action:". Models repeat the label, omit it, or use it within a
// thought or a typed text.

import { type Action, pointerAfter } from '../../core/action.ts';
import type { Point } from '../../core/screen.ts';
import type { CoordinateSpace } from '../model/frame.ts';
import { CallReader } from './call.ts';
import { ActionFormatError } from './codec.ts';
import { joinThoughts, splitThinking } from './thinking.ts';
import { FUNCTIONS, UitarsCall } from './uitars-call.ts';

const FORMAT = 'ui-tars';

export interface UitarsTurn {
  /** '' if the turn has none. */
  readonly thought: string;
  /** Never empty. */
  readonly actions: readonly Action[];
}

/** The parts of a turn before and after a label. */
interface Opening {
  readonly thought: string;
  readonly calls: string;
}

/** The actions are all calls after the first label with only calls after it. */
export function readTurn(wire: string, space: CoordinateSpace, pointer: Point | undefined): UitarsTurn {
  const [first, ...others] = openingsOf(wire);
  let failure: ActionFormatError | undefined;
  for (const { thought, calls } of [first, ...others]) {
    try {
      return { thought, actions: readCalls(calls, wire, space, pointer) };
    } catch (error) {
      if (!(error instanceof ActionFormatError)) throw error;
      failure ??= error;
    }
  }
  throw failure ?? noAction(wire);
}

/** The thought of a turn, '' if it has none, and the calls after it. */
export const splitTurn = (turn: string): Opening => openingsOf(turn)[0];

const LABEL_AT_LINE_START = /^[ \t*#]*Action\s*[:：]\**/gm;
const LABEL = /(?<=\s)Action\s*[:：]/g;
/** Bounds the time for a reply that repeats the label. */
const MAX_OPENINGS = 16;
/** The label at the start of a line has priority over one within a sentence: a thought may contain "Action:" too. */
function openingsOf(wire: string): readonly [Opening, ...Opening[]] {
  const { thinking, reply } = splitThinking(wire);
  const turn = withoutTrailer(reply);
  const thoughtOf = (text: string) => joinThoughts(thinking, text.replace(THOUGHT_LABEL, '').trim());
  const labels = [...turn.matchAll(LABEL_AT_LINE_START), ...turn.matchAll(LABEL)].slice(0, MAX_OPENINGS);
  const [first, ...others] = labels.map(label => ({
    thought: thoughtOf(turn.slice(0, label.index)),
    calls: turn.slice(label.index + label[0].length),
  }));
  if (first !== undefined) return [first, ...others];
  return [
    THOUGHT_LABEL.test(turn) ? { thought: thoughtOf(turn), calls: '' } : { thought: thinking, calls: turn },
  ];
}

const THOUGHT_LABEL = /^\s*(?:Thought|Reflection|Action_Summary)\s*[:：]/;
const TRAILER = /(?:<\|[a-z_]+\|>|<\/s>|```)$/;
/** Longer than any end token. A search of the whole text, once for each token at its end, would take minutes. */
const MAX_TRAILER = 64;

/** Without the tokens and fences that servers leave at the end. A model in a loop writes tens of thousands of them. */
function withoutTrailer(text: string): string {
  let left = text.trimEnd();
  for (;;) {
    const [trailer] = TRAILER.exec(left.slice(-MAX_TRAILER)) ?? [];
    if (trailer === undefined) return left;
    left = left.slice(0, -trailer.length).trimEnd();
  }
}

const NEXT_LABEL = /Action\s*[:：]\**/y;
/** Some models continue with further turns. */
const NEXT_THOUGHT = /(?:Thought|Reflection|Action_Summary)\s*[:：][\s\S]*?\sAction\s*[:：]/y;
const FENCE = /```\w*/y;
/** The text of the line after a call, unless it is a call. */
const NEXT = String.raw`Action|Thought|Reflection|<|\``;

function readCalls(
  calls: string,
  wire: string,
  space: CoordinateSpace,
  pointer: Point | undefined,
): readonly Action[] {
  const reader = new CallReader(FORMAT, calls, { next: NEXT, functions: FUNCTIONS });
  const actions: Action[] = [];
  let at = pointer;
  while (!reader.atEnd()) {
    if (reader.match(NEXT_LABEL) ?? reader.match(NEXT_THOUGHT) ?? reader.match(FENCE)) continue;
    const action = new UitarsCall(reader.call(), space, wire).action(at);
    actions.push(action);
    at = pointerAfter(action) ?? at;
    reader.match(SEPARATOR);
  }
  if (actions.length === 0) throw noAction(wire);
  return actions;
}

const SEPARATOR = /\s*[;,]/y;

const noAction = (wire: string): ActionFormatError =>
  new ActionFormatError(FORMAT, wire, 'no action found: write at least one call, such as wait()');
