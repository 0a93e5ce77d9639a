// Writes a trajectory as DART messages: final_messages.json with its pictures, and reward.txt. Pure.

import { ActionFormatError } from '../../agents/codecs/codec.ts';
import type { CoordinateSpace } from '../../agents/model/frame.ts';
import { UI_TARS_15 } from '../../agents/model/profiles/ui-tars.ts';
import { pointerAfter } from '../../core/action.ts';
import type { Point, Size } from '../../core/screen.ts';
import type { Trajectory } from '../../core/trajectory.ts';
import { fileNameOf } from '../file-name.ts';
import { screenIn } from '../pictures.ts';
import { refusedStep, type StoredTurn, turnsOf } from '../steps.ts';
import {
  requireSteps,
  type TrajectoryWriter,
  utf8,
  WriteRefusal,
  type WrittenFile,
} from '../written-files.ts';
import { dartSpace, writeDartTurn } from './grammar.ts';
import type { WrittenMessage } from './messages.ts';
import { CHANGED, MESSAGES_NAME, pictureName, REWARD_NAME } from './names.ts';

export const writeDart: TrajectoryWriter = (trajectory, pictures, { screen, isChanged = false }) => {
  requireSteps(trajectory);
  const { id, instance, startedAt, outcome } = trajectory;
  const conversation = dartConversation(trajectory, pictures, screen);
  const seconds = Math.trunc(startedAt / 1000);
  const folder = `${fileNameOf(instance.task)}_trace-${id}${isChanged ? CHANGED : ''}-${seconds}`;
  const named = conversation.flatMap(({ picture }, index) =>
    picture === undefined ? [] : [{ place: `${folder}/${pictureName(index)}`, bytes: picture }],
  );
  const files: WrittenFile[] = [
    ...named,
    ...(outcome.kind === 'judged'
      ? [{ place: `${folder}/${REWARD_NAME}`, bytes: utf8(`${outcome.verdict.score}\n`) }]
      : []),
    {
      place: `${folder}/${MESSAGES_NAME}`,
      bytes: utf8(JSON.stringify(messagesOf(trajectory, conversation), undefined, 2)),
    },
  ];
  return { files, lines: [] };
};

/** A turn with the picture before it; the last entry has the picture after the last turn, and no reply. */
export interface DartTurn {
  readonly picture?: Uint8Array;
  readonly reply?: string;
}

/** Throws a WriteRefusal for an action that the grammar cannot hold. */
export function dartConversation(
  { steps }: Pick<Trajectory, 'steps'>,
  pictures: readonly Uint8Array[],
  screen: Size,
): readonly DartTurn[] {
  const space = spaceOf(screenIn(pictures, screen));
  const turns: DartTurn[] = [];
  let pointer: Point | undefined;
  for (const turn of turnsOf(steps)) {
    for (const [index, reply] of textsOf(turn, space, pointer).entries())
      turns.push({ ...pictureAt(pictures, turn.at + index), reply });
    for (const action of turn.actions) pointer = pointerAfter(action) ?? pointer;
  }
  const last = pictureAt(pictures, steps.length);
  return last.picture === undefined ? turns : [...turns, last];
}

const pictureAt = (pictures: readonly Uint8Array[], index: number): Pick<DartTurn, 'picture'> => {
  const picture = pictures[index];
  return picture === undefined || picture.length === 0 ? {} : { picture };
};

/** The system message and the prompt of the profile, with the instruction. */
export function dartPrompt(instruction: string, mode: Trajectory['mode']): readonly WrittenMessage[] {
  const frame = { screen: NO_SIZE, sent: NO_SIZE, elements: [] };
  return UI_TARS_15.messages({ instruction, mode, turns: [], turnCount: 0, current: { frame } }).map(
    ({ role, parts }): WrittenMessage => {
      const texts = parts.flatMap(part => (part.type === 'text' ? part.text : [])).join('');
      return { role, content: role === 'system' ? texts : [{ type: 'text', text: texts }] };
    },
  );
}

/** The prompt has no picture yet. */
const NO_SIZE: Size = { width: 1, height: 1 };

function messagesOf(
  { instruction, mode }: Trajectory,
  turns: readonly DartTurn[],
): readonly WrittenMessage[] {
  const messages: WrittenMessage[] = [...dartPrompt(instruction, mode)];
  for (const [index, { picture, reply }] of turns.entries()) {
    if (picture !== undefined) addPicture(messages, pictureName(index));
    if (reply !== undefined) messages.push({ role: 'assistant', content: [{ type: 'text', text: reply }] });
  }
  return messages;
}

/** The first picture belongs to the message of the prompt. */
function addPicture(messages: WrittenMessage[], name: string): void {
  const part = { type: 'image_url', image_url: name } as const;
  const last = messages.at(-1);
  if (last?.role === 'user' && typeof last.content !== 'string')
    messages[messages.length - 1] = { role: 'user', content: [...last.content, part] };
  else messages.push({ role: 'user', content: [part] });
}

function textsOf(turn: StoredTurn, space: CoordinateSpace, pointer: Point | undefined) {
  try {
    return writeDartTurn(turn, space, pointer);
  } catch (error) {
    if (!(error instanceof ActionFormatError)) throw error;
    throw new WriteRefusal(
      `Step ${refusedStep(turn, error)} cannot be written in the grammar of UI-TARS: ${error.reason}. Export it as osworld, which holds every action.`,
    );
  }
}

function spaceOf(screen: Size): CoordinateSpace {
  try {
    return dartSpace(screen);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new WriteRefusal(error.message);
  }
}
