// The generic profile: JSON actions over a numbered list of elements, a screenshot, or both. For models that are not trained for a
// desktop, and in the mode `a11y_tree` for models without vision.

import type { ChatMessage } from '../../../core/chat.ts';
import type { Mode } from '../../../core/policy.ts';
import { thoughtBeforeCalls } from '../../codecs/tool-calls.ts';
import {
  actionInWords,
  conversation,
  imageOf,
  shortened,
  system,
  text,
  turnsInWindow,
  user,
} from '../conversation.ts';
import { elementList } from '../elements.ts';
import { spaceOf } from '../frame.ts';
import type { Frame, HistoryWindow, PastTurn, Profile, PromptInput, Reading } from '../profile.ts';
import { readingOf, replyOrWords } from '../reading.ts';
import { FRAME_RULES } from './frames.ts';
import { DEFAULT_NOTCHES, readGeneric, writeGeneric } from './generic-grammar.ts';

/** Earlier turns are a list of actions in words: their numbers of elements mean nothing on the current screen. */
const HISTORY: HistoryWindow = { images: 1, turns: 12 };

export const GENERIC: Profile = {
  id: 'generic',
  modes: ['screenshot_a11y_tree', 'screenshot', 'a11y_tree'],
  ...FRAME_RULES.generic,
  history: HISTORY,
  sampling: { temperature: 1, topP: 1, topK: -1, maxTokens: 1024 },
  messages: messagesOf,
  read: readReply,
  write: (action, frame) =>
    replyOrWords(action, () => writeGeneric(action, spaceOf(FRAME_RULES.generic.coordinates, frame))),
};

function readReply(raw: string, frame: Frame): Reading {
  return readingOf(
    () => readGeneric(raw, frame, spaceOf(FRAME_RULES.generic.coordinates, frame)),
    thoughtBeforeCalls(raw),
  );
}

function messagesOf(prompt: PromptInput): readonly ChatMessage[] {
  const { current, instruction, mode } = prompt;
  const earlier = turnsInWindow(prompt, HISTORY).map(({ turn, number }) => `${number}. ${inWords(turn)}`);
  const sections = [
    `Task: ${instruction}`,
    `Earlier actions:\n${earlier.length === 0 ? 'none' : earlier.join('\n')}`,
    ...(mode === 'screenshot'
      ? []
      : [`Elements on the screen:\n${elementList(current.frame.elements) || 'none'}`]),
    'Reply with the JSON object of the next action.',
  ];
  return conversation([
    system(systemPrompt(mode, current.frame)),
    user(...imageOf(current), text(sections.join('\n\n'))),
  ]);
}

/** The actions of an earlier turn, with the names of the elements that the reply named. */
function inWords(turn: PastTurn): string {
  if (turn.malformed !== undefined) return shortened(`your reply could not be read: ${turn.malformed}`);
  const reading = readReply(turn.raw, turn.frame);
  if (reading.kind === 'malformed') return turn.actions.map(action => actionInWords(action)).join(', then ');
  const words = reading.actions.map(({ action, elements }) =>
    actionInWords(
      action,
      elements.map(number => turn.frame.elements[number - 1]),
    ),
  );
  return shortened(words.join(', then '));
}

const TARGETS: Readonly<Record<Mode, string>> = {
  a11y_tree: '"element": NUMBER',
  screenshot: '"x": X, "y": Y',
  screenshot_a11y_tree: '"element": NUMBER',
};

function systemPrompt(mode: Mode, { sent: { width, height } }: Frame): string {
  const target = TARGETS[mode];
  const to = mode === 'screenshot' ? '"to_x": X, "to_y": Y' : '"to_element": NUMBER';
  const pixels = `x and y are pixels of the screenshot, which is ${width} wide and ${height} high; (0, 0) is its top left corner.`;
  const targets = {
    a11y_tree: 'NUMBER is the number of an element in the list.',
    screenshot: pixels,
    screenshot_a11y_tree: `NUMBER is the number of an element in the list. For other targets, write "x" and "y" in place of "element": ${pixels}`,
  } as const satisfies Record<Mode, string>;
  return `You operate a desktop computer to complete a task. Reply with one JSON object, the next action:
{"action": "click", ${target}}
{"action": "double_click", ${target}}
{"action": "right_click", ${target}}
{"action": "type", "text": "TEXT"} types into the focused element; add ${target} to click an element first, and "enter": true to press Enter after the text
{"action": "hotkey", "keys": ["ctrl", "s"]}
{"action": "scroll", "direction": "down", "amount": ${DEFAULT_NOTCHES}, ${target}}
{"action": "drag", ${target}, ${to}}
{"action": "wait"}
{"action": "finished", "answer": "TEXT"} when the task is complete; the answer is empty unless the task asks a question
{"action": "fail", "reason": "TEXT"} when the task is impossible
${targets[mode]}`;
}
