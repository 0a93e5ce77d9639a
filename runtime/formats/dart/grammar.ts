// The turns of DART messages: the grammar of UI-TARS, with coordinates in the picture that the model saw. Pure.

import { ActionFormatError } from '../../agents/codecs/codec.ts';
import { type UitarsCodec, uitars } from '../../agents/codecs/uitars.ts';
import { splitTurn } from '../../agents/codecs/uitars-turn.ts';
import { type CoordinateSpace, spaceOn } from '../../agents/model/frame.ts';
import { FRAME_RULES } from '../../agents/model/profiles/frames.ts';
import type { Point, Size } from '../../core/screen.ts';
import {
  type ForeignTurn,
  readingOfTurn,
  type StoredTurn,
  sameActions,
  singly,
  type TurnReading,
} from '../steps.ts';

/** 1932 × 1092 for a screen of 1920 × 1080. Throws a RangeError for a screen that no model accepts. */
export const dartSpace = (screen: Size): CoordinateSpace => spaceOn(FRAME_RULES['ui-tars-1.5'], screen);

export function readDartTurn(raw: string, space: CoordinateSpace, pointer: Point | undefined): ForeignTurn {
  const codec = uitars(space);
  let thought = '';
  const reading = readingOfTurn(raw, () => {
    const turn = codec.decodeTurn(raw, pointer);
    thought = turn.thought;
    return turn.actions;
  });
  return { raw, thought: reading.kind === 'actions' ? thought : splitTurn(raw).thought, reading };
}

/** The texts of a turn; several if the grammar cannot hold its actions in one. Throws an ActionFormatError for an action without a spelling. */
export function writeDartTurn(
  turn: StoredTurn,
  space: CoordinateSpace,
  pointer: Point | undefined,
): readonly string[] {
  const text = oneText(turn, space, pointer);
  if (text !== undefined) return [text];
  return singly(turn).map(
    each =>
      oneText(each, space, pointer) ??
      refuse(
        each,
        `the grammar of UI-TARS reads another action in what it writes for ${each.actions[0].kind}`,
      ),
  );
}

/** The reply itself if it reads as these actions, or else a text that does. */
function oneText(turn: StoredTurn, space: CoordinateSpace, pointer: Point | undefined): string | undefined {
  const { actions, reply } = turn;
  const reads = (text: string): boolean => matches(readDartTurn(text, space, pointer).reading, turn);
  if (reply !== undefined && reads(reply.raw)) return reply.raw;
  const thought = reply?.thought ?? '';
  const [first] = actions;
  if (actions.length > 1 && actions.some(({ kind }) => kind === 'none')) return undefined;
  if (first.kind === 'none') return [`Thought: ${thought || first.why}`, ''].find(reads);
  const calls = callsOf(turn, uitars(space));
  return [...(thought === '' ? [] : [`Thought: ${thought}\nAction: ${calls}`]), `Action: ${calls}`].find(
    reads,
  );
}

const callsOf = ({ actions }: StoredTurn, codec: UitarsCodec): string =>
  actions.map(action => codec.encode(action)).join('\n\n');

const matches = (reading: TurnReading, { actions }: StoredTurn): boolean =>
  reading.kind === 'unreadable'
    ? actions.length === 1 && actions[0].kind === 'none'
    : sameActions(reading.actions, actions);

function refuse(turn: StoredTurn, reason: string): never {
  throw new ActionFormatError('ui-tars', turn.actions[0], reason);
}
