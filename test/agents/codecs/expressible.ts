// The actions that each format expresses, for laws: these come back from the format, and exactly the others are rejected.

import { type Action, NOTCHES, wordless } from '../../../runtime/core/action.ts';

/** The readers of these formats take ctrl+C for ctrl+c. */
const hasCapitalInChord = (action: Action): boolean =>
  action.kind === 'hotkey' &&
  action.keys.some(key => /^[A-Z]$/.test(key)) &&
  action.keys.some(key => ['ctrl', 'alt', 'win'].includes(key));

const hasWords = (action: Action): boolean => JSON.stringify(action) !== JSON.stringify(wordless(action));

/** One pointer button, two counts of clicks, one distance of scrolling. */
export const byUitars = (action: Action): boolean =>
  !['middle_click', 'triple_click', 'none'].includes(action.kind) &&
  (action.kind !== 'scroll' || action.notches === NOTCHES);

/** The end of an episode has no words in code. */
export const byPyautogui = (action: Action): boolean => action.kind !== 'none' && !hasWords(action);

export const byComputer13 = (_: Action): boolean => true;

/** A backslash and an n at the end of a text are Enter. */
export const byComputerUse = (action: Action): boolean =>
  action.kind !== 'none' &&
  !hasCapitalInChord(action) &&
  !(action.kind === 'type' && action.text.endsWith('\\n'));

export const byGeneric = (action: Action): boolean => action.kind !== 'none' && !hasCapitalInChord(action);
