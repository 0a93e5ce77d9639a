// Actions as pyautogui code: OSWorld's `pyautogui` action space with its keywords WAIT, DONE and FAIL. Code is parsed, never run.
// Positions are screen pixels; fractions are truncated as in pyautogui.
//
// pyautogui types only what a US keyboard prints and silently drops the rest, so other text is written as a paste. DONE
// and FAIL have no place for an answer or a reason: encode `wordless(action)` where those may go.

import type { Action } from '../../core/action.ts';
import type { Point } from '../../core/screen.ts';
import { CallReader } from './call.ts';
import { type ActionCodec, ActionFormatError, assertWhole } from './codec.ts';
import { fold, type Gesture, type Places } from './gesture.ts';
import { pixel } from './pixel.ts';
import { gesturesOfCall, type Placement } from './pyautogui-call.ts';
import { quoted } from './quoted-text.ts';

const FORMAT = 'pyautogui';

export interface CodeRules extends Places {
  /** The screen pixel of two numbers in the code; by default the numbers are the pixel. */
  readonly place?: Placement;
  /** Of a scroll; a longer one is rejected. */
  readonly maxNotches: number;
}

export const pyautogui: Pick<ActionCodec<string>, 'encode'> = { encode: action => writeCode(action) };

// Writing

const pixels = ({ x, y }: Point): string => `${x}, ${y}`;

/** `xy` writes a position; by default it is the pixel. */
export const writeCode = (action: Action, xy: (point: Point) => string = pixels): string => {
  const refuse = (reason: string): never => {
    throw new ActionFormatError(FORMAT, action, reason);
  };
  assertWhole(action, FORMAT);
  switch (action.kind) {
    case 'click':
      return `pyautogui.click(${xy(action.at)})`;
    case 'double_click':
      return `pyautogui.doubleClick(${xy(action.at)})`;
    case 'right_click':
      return `pyautogui.rightClick(${xy(action.at)})`;
    case 'middle_click':
      return `pyautogui.middleClick(${xy(action.at)})`;
    case 'triple_click':
      return `pyautogui.tripleClick(${xy(action.at)})`;
    case 'move':
      return `pyautogui.moveTo(${xy(action.at)})`;
    case 'drag':
      // Most applications miss a drag without a duration.
      return `pyautogui.moveTo(${xy(action.from)})\npyautogui.dragTo(${xy(action.to)}, duration=1.0, button='left')`;
    case 'type':
      return TYPEABLE.test(action.text)
        ? `pyautogui.write(${quoted(action.text)})`
        : `import pyperclip\npyperclip.copy(${quoted(action.text)})\npyautogui.hotkey('ctrl', 'v')`;
    case 'hotkey': {
      const keys = action.keys.map(key => quoted(key === 'space' ? ' ' : key));
      return `pyautogui.${keys.length === 1 ? 'press' : 'hotkey'}(${keys.join(', ')})`;
    }
    case 'scroll': {
      const sideways = action.direction === 'left' || action.direction === 'right';
      const sign = action.direction === 'up' || action.direction === 'right' ? '' : '-';
      return `pyautogui.${sideways ? 'hscroll' : 'scroll'}(${sign}${action.notches}, ${xy(action.at)})`;
    }
    case 'wait':
      return 'WAIT';
    case 'finished':
      return action.answer === '' ? 'DONE' : refuse('DONE cannot carry an answer: encode wordless(action)');
    case 'fail':
      return action.why === '' ? 'FAIL' : refuse('FAIL cannot carry a reason: encode wordless(action)');
    case 'none':
      return refuse('there is no code for a turn without an action: omit it');
  }
};

/** The same with the functions `computer.…` of OpenCUA, which also carry an answer or a reason. */
export const writeComputerCode = (action: Action, xy: (point: Point) => string): string => {
  switch (action.kind) {
    case 'wait':
      return 'computer.wait()';
    case 'triple_click':
      return `computer.triple_click(${xy(action.at)})`;
    case 'finished':
      return terminate('success', action.answer);
    case 'fail':
      return terminate('failure', action.why);
    default:
      return writeCode(action, xy);
  }
};

const terminate = (status: string, answer: string): string =>
  `computer.terminate(status='${status}'${answer === '' ? '' : `, answer=${quoted(answer)}`})`;

const TYPEABLE = /^[\x20-\x7e\n\t]*$/;

// Reading

const WORDS: ReadonlyMap<string, Action> = new Map<string, Action>([
  ['WAIT', { kind: 'wait' }],
  ['DONE', { kind: 'finished', answer: '' }],
  ['FAIL', { kind: 'fail', why: '' }],
]);
const IMPORT = /(?:import|from)[ \t][\w ,.]*/y;
const SETTING = /pyautogui\.(?:FAILSAFE|PAUSE)\s*=\s*[\w.]+/y;
const SEPARATOR = /;/y;

/** The actions of a program. Never empty. */
export const readCode = (wire: string, rules: CodeRules): readonly Action[] => {
  const word = WORDS.get(wire.trim());
  if (word !== undefined) return [word];
  const { place = pixel, maxNotches } = rules;
  const reader = new CallReader(FORMAT, wire, 'strict');
  const gestures: Gesture[] = [];
  while (!reader.atEnd()) {
    if (reader.match(SEPARATOR) ?? reader.match(IMPORT) ?? reader.match(SETTING)) continue;
    // A string alone is a comment: UI-TARS's converter writes the thought there.
    if (reader.startsString()) reader.literal();
    // A call may press a key very often: more than a call of `push` takes.
    else for (const gesture of gesturesOfCall(reader, place, maxNotches)) gestures.push(gesture);
  }
  return fold(gestures, rules, reason => reader.fail(reason));
};
