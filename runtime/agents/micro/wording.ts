// The words of the micro model for what it does: the thought of a reply, and the line that repeats it in later prompts.

import type { Action } from '../../core/action.ts';
import type { Element } from '../../core/screen.ts';
import { plain, wordsOf } from '../compact/word-tokenizer.ts';
import type { PastTurn } from '../model/profile.ts';

const VERBS = {
  click: 'click',
  double_click: 'double-click',
  right_click: 'right-click',
  middle_click: 'middle-click',
  triple_click: 'triple-click',
  move: 'move to',
  scroll: 'scroll',
} as const;

/** The thought of an action. `targets` are the elements it points at, in order. */
export function thoughtOf(action: Action, targets: readonly Element[], instruction: string): string {
  const [target, end] = targets.map(element => targetName(element, instruction));
  switch (action.kind) {
    case 'drag':
      return `drag ${target ?? 'this'} to ${end ?? 'that'}`;
    case 'type':
      return 'type';
    case 'hotkey':
      return 'press';
    case 'wait':
      return 'wait';
    case 'finished':
      return 'done';
    case 'fail':
    case 'none':
      return 'impossible';
    default:
      return target === undefined ? VERBS[action.kind] : `${VERBS[action.kind]} ${target}`;
  }
}

/**
 * The role and the name. Of a long name only the words of the instruction: they suffice to find the element, and the model can copy them
 * without reading the screen.
 */
function targetName({ role, name }: Element, instruction: string): string {
  if (name === '') return role;
  const asked = new Set(wordsOf(instruction).map(({ text }) => plain(text)));
  const words = wordsOf(name).filter(({ isSign }) => !isSign);
  const shared = words.filter(({ text }) => asked.has(plain(text)));
  const isPart = shared.length > 0 && shared.length < words.length;
  const kept = isPart ? shared.map(({ text }) => text).join(' ') : name;
  return `${role} ${JSON.stringify(kept)}`;
}

const MAX_TEXT = 60;
const short = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text);

/** One line for each action of an earlier turn. */
export function pastLines({ raw, actions, malformed }: PastTurn): readonly string[] {
  if (malformed !== undefined) return ['nothing'];
  const thought = /^Thought: ([^\n]*)/.exec(raw)?.[1];
  return actions.map(action => {
    switch (action.kind) {
      case 'type':
        return `type ${JSON.stringify(short(action.text))}`;
      case 'hotkey':
        return `press ${action.keys.join(' ')}`;
      default:
        return short(thought ?? thoughtOf(action, [], ''));
    }
  });
}
