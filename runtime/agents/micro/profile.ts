// The profile of the micro model: short prompts, and replies in the grammar of UI-TARS. In the mode 'a11y_tree' a box is the number of an
// element of the list, start_box='12': one token to copy. In the mode 'screenshot' it is a point, (152,90): two tokens to copy.

import { type Action, pointsOf } from '../../core/action.ts';
import type { ChatMessage } from '../../core/chat.ts';
import { messageOf } from '../../core/errors.ts';
import { elementAt, type Point, samePoint } from '../../core/screen.ts';
import { ActionFormatError } from '../codecs/codec.ts';
import { uitars } from '../codecs/uitars.ts';
import { elementList, targetOf } from '../model/elements.ts';
import type { Frame, Profile, PromptInput, ReadAction, Reading } from '../model/profile.ts';
import { FRAME_RULES } from '../model/profiles/frames.ts';
import { replyOrWords } from '../model/reading.ts';
import { PATCH } from './vocabulary.ts';
import { pastLines, thoughtOf } from './wording.ts';

export const MICRO_PROFILE: Profile = {
  id: 'micro',
  modes: ['a11y_tree', 'screenshot'],
  ...FRAME_RULES.micro,
  history: { images: 1, turns: 5 },
  imageTokens: [PATCH],
  sampling: { temperature: 1, topP: 1, topK: -1, maxTokens: 96 },
  messages,
  read,
  write,
};

function messages({ instruction, mode, turns, current }: PromptInput): readonly ChatMessage[] {
  const done = turns.flatMap(pastLines).map(line => `\nDone: ${line}`);
  const screen = mode === 'screenshot' ? '\n' : `\nElements:\n${elementList(current.frame.elements)}\n`;
  const text = `Task: ${instruction}${done.join('')}${screen}`;
  const image = mode === 'screenshot' && current.image !== undefined ? [current.image] : [];
  return [{ role: 'user', parts: [...image, { type: 'text', text }] }];
}

const THOUGHT = /^\s*Thought:[ \t]*([^\n]*)/;
/** A box that is the number of an element. */
const NUMBERED = /\b(start_box|end_box)='(\d+)'/g;

function read(raw: string, frame: Frame): Reading {
  const thought = THOUGHT.exec(raw)?.[1]?.trim();
  const about = thought === undefined ? {} : { thought };
  const named: { readonly number: number; readonly at: Point }[] = [];
  try {
    const pointed = raw.replace(NUMBERED, (_, box: string, digits: string) => {
      const number = Number(digits);
      const at = pointOf(number, frame);
      named.push({ number, at });
      return `${box}='${inPicture(at, frame)}'`;
    });
    const [first, ...others] = uitars({ screen: frame.screen, picture: frame.sent }).decodeAll(pointed);
    if (first === undefined) return { kind: 'malformed', why: 'The reply has no action.', ...about };
    const elementOf = (point: Point): readonly number[] => {
      const index = named.findIndex(({ at }) => samePoint(at, point));
      return index < 0 ? [] : named.splice(index, 1).map(({ number }) => number);
    };
    const toRead = (action: Action): ReadAction => ({
      action,
      elements: pointsOf(action).flatMap(elementOf),
    });
    return { kind: 'actions', actions: [toRead(first), ...others.map(toRead)], ...about };
  } catch (error) {
    if (error instanceof ActionFormatError || error instanceof RangeError)
      return { kind: 'malformed', why: messageOf(error), ...about };
    throw error;
  }
}

/** With points instead of numbers: `read` takes both, and later prompts repeat the thought alone. */
function write(action: Action, { elements, screen, sent }: Frame): string {
  const points = pointsOf(action);
  const targets = points.flatMap(point => elementAt(elements, point) ?? []);
  return replyOrWords(
    action,
    () =>
      `Thought: ${thoughtOf(action, targets.length === points.length ? targets : [], '')}\nAction: ${uitars({ screen, picture: sent }).encode(action)}`,
  );
}

/** The point of an element of the list. */
function pointOf(number: number, { elements, screen }: Frame): Point {
  const element = elements[number - 1];
  const at = element && targetOf(element.box, screen);
  if (at === undefined)
    throw new RangeError(`The reply names element ${number}; the list has 1 to ${elements.length}.`);
  return at;
}

/** In the picture that the reply refers to. */
const inPicture = ({ x, y }: Point, { screen, sent }: Frame): string =>
  `(${(x * sent.width) / screen.width},${(y * sent.height) / screen.height})`;
