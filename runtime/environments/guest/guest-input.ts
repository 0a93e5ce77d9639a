// Actions as Python programs for a guest: pyautogui, with the texts and keys that it types wrong typed by other means. Pure.

import { pyautogui } from '../../agents/codecs/pyautogui.ts';
import { quoted } from '../../agents/codecs/quoted-text.ts';
import type { Action, Keys } from '../../core/action.ts';
import { key } from '../../core/key.ts';

/** pyautogui types these right on a US keyboard. It types `<` as `>`, and drops what the keyboard does not have. */
const TYPEABLE = /[\x20-\x3b\x3d-\x7e\n\t]+/y;
const OTHERS = /[^\x20-\x7e\n\t]+/y;

const START = ['import pyautogui, time', 'pyautogui.FAILSAFE = False'];
const [SHIFT, COMMA] = [key('shift'), key(',')];

/** The program of an action; undefined for an action without input. */
export function programOf(action: Action): string | undefined {
  switch (action.kind) {
    case 'wait':
    case 'finished':
    case 'fail':
    case 'none':
      return undefined;
    case 'type':
      return [...START, ...typing(action.text)].join('\n');
    case 'hotkey':
      return [...START, pyautogui.encode({ ...action, keys: typeable(action.keys) })].join('\n');
    default:
      return [...START, pyautogui.encode(action)].join('\n');
  }
}

/** pyautogui presses `<` as `>`. */
function typeable(keys: Keys): Keys {
  const [first, ...others] = keys.flatMap(each => (each === '<' ? [SHIFT, COMMA] : [each]));
  return first === undefined ? keys : [first, ...others];
}

function typing(text: string): readonly string[] {
  const lines: string[] = [];
  for (let at = 0; at < text.length; ) {
    TYPEABLE.lastIndex = at;
    OTHERS.lastIndex = at;
    const typed = TYPEABLE.exec(text)?.[0];
    const pasted = OTHERS.exec(text)?.[0];
    if (typed !== undefined) lines.push(`pyautogui.write(${quoted(typed)})`);
    else if (pasted === undefined) lines.push("pyautogui.hotkey('shift', ',')");
    else lines.push(...paste(pasted));
    at += (typed ?? pasted ?? '<').length;
  }
  return lines;
}

/** The pause lets the application read the clipboard before it changes again. */
const paste = (text: string): readonly string[] => [
  'import pyperclip',
  `pyperclip.copy(${quoted(text)})`,
  "pyautogui.hotkey('ctrl', 'v')",
  'time.sleep(0.1)',
];
