// Builds the messages of a turn from the window of a profile.

import type { Action } from '../../core/action.ts';
import type { ChatMessage, ChatPart } from '../../core/chat.ts';
import type { Point } from '../../core/screen.ts';
import { type Nameable, nameOf } from './elements.ts';
import type { HistoryWindow, ObservedScreen, PastTurn, PromptInput } from './profile.ts';

export const text = (value: string): ChatPart => ({ type: 'text', text: value });
export const system = (value: string): ChatMessage => ({ role: 'system', parts: [text(value)] });
export const user = (...parts: readonly ChatPart[]): ChatMessage => ({ role: 'user', parts });
export const assistant = (value: string): ChatMessage => ({
  role: 'assistant',
  parts: value.trim() === '' ? [] : [text(value)],
});

/** The image of a screen, if it is in the window of images. */
export const imageOf = ({ image }: ObservedScreen): readonly ChatPart[] =>
  image === undefined ? [] : [image];

/** Without empty messages, which servers reject. Consecutive messages of the user become one. */
export function conversation(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const result: ChatMessage[] = [];
  for (const message of messages) {
    if (message.parts.length === 0) continue;
    const last = result.at(-1);
    if (last?.role === 'user' && message.role === 'user')
      result[result.length - 1] = user(...last.parts, ...message.parts);
    else result.push(message);
  }
  return result;
}

export interface NumberedTurn {
  readonly turn: PastTurn;
  /** Its number in the episode, from 1. */
  readonly number: number;
}

/** The turns within the window, oldest first. Only the latest have images. */
export function turnsInWindow(
  { turns, turnCount }: PromptInput,
  window: HistoryWindow,
): readonly NumberedTurn[] {
  const kept = window.turns === 0 ? [] : turns.slice(-window.turns);
  // The current screen takes one of the images.
  const firstWithImage = kept.length - (window.images - 1);
  return kept.map((turn, index) => {
    const { image, ...rest } = turn;
    const hasImage = image !== undefined && index >= firstWithImage;
    return { turn: hasImage ? { ...rest, image } : rest, number: turnCount - kept.length + index + 1 };
  });
}

/** In UTF-16 units: a degenerate reply must not fill the history. */
const MAX_SENTENCE = 300;

/** The start of a long text. Servers reject half of a character, such as of an emoji. */
export const shortened = (value: string, length = MAX_SENTENCE): string =>
  value.slice(0, length).replace(/[\ud800-\udbff]$/, '');

/** The sentence after the label "Action:" of a reply, or else its actions in words. */
export function summaryOf({ raw, actions, malformed }: PastTurn): string {
  const sentence = /^[ \t]*Action\s*[:：][ \t]*(.*?)(?:<tool_call>|$)/m.exec(raw)?.[1]?.trim() ?? '';
  if (sentence !== '') return shortened(sentence);
  if (malformed !== undefined) return 'an unreadable reply';
  return shortened(actions.map(action => actionInWords(action)).join(', then '));
}

/** `click at (10, 20)`, or `click button "Save"`. `targets` are the elements that the reply named, in order. */
export function actionInWords(action: Action, targets: readonly (Nameable | undefined)[] = []): string {
  const [target, end] = targets;
  const name = (named: Nameable | undefined, { x, y }: Point) =>
    named === undefined ? `(${x}, ${y})` : nameOf(named);
  const at = (point: Point) => (target === undefined ? `at ${name(target, point)}` : nameOf(target));
  switch (action.kind) {
    case 'drag':
      return `drag from ${name(target, action.from)} to ${name(end, action.to)}`;
    case 'type':
      return `type ${JSON.stringify(action.text)}`;
    case 'hotkey':
      return `press ${action.keys.join('+')}`;
    case 'scroll':
      return `scroll ${action.direction} by ${action.notches} ${at(action.at)}`;
    case 'wait':
      return 'wait';
    case 'finished':
      return action.answer === '' ? 'finish' : `finish with the answer ${JSON.stringify(action.answer)}`;
    case 'fail':
    case 'none':
      return action.why === '' ? action.kind : `${action.kind}: ${action.why}`;
    default:
      return `${action.kind.replace('_', ' ')} ${at(action.at)}`;
  }
}
