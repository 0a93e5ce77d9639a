// Numbering of token properties: sort, place within the sort, and features. Trained weights depend on all of these indices.

import type { ElementState } from '../../core/screen.ts';
import { KINDS } from './action-kinds.ts';

/** Known element roles; all other roles count as 'other'. */
const ROLES = [
  'other desktop window dialog titlebar button tab label radio slider checkbox dropdown list listitem menu menuitem textfield textarea',
  'tree treeitem table row columnheader cell gridcell alert scrollbar spinner document link image toolbar statusbar panel icon',
]
  .join(' ')
  .split(' ');

/** Number of words read from an element's name and from its value. */
export const NAME_WORDS = 6;
export const VALUE_WORDS = 4;
export const SLOTS_OF_WORDS = NAME_WORDS + VALUE_WORDS;

/** Sorts of tokens: special sorts, then kinds of past actions, then roles of elements. */
export const WHOLE = 0;
export const WORD = 1;
export const PATCH = 2;
export const MEMORY = 3;
export const LINE = 4;
export const FIRST_PAST = 5;
export const FIRST_ROLE = FIRST_PAST + KINDS.length;
export const SORTS = FIRST_ROLE + ROLES.length + 8;
export const ROLE_NUMBERS = new Map(ROLES.map((role, index) => [role, FIRST_ROLE + index]));

/** Places within a sort: index of a word or line, steps since a past action, age of a remembered text. */
export const MAX_WORDS = 64;
export const FIRST_PAST_PLACE = MAX_WORDS + 1;
export const FIRST_AGE = FIRST_PAST_PLACE + 8;
export const OLDEST = 8;
export const FIRST_LINE = FIRST_AGE + OLDEST + 1;
export const LAST_LINE = 7;
export const PLACES = FIRST_LINE + LAST_LINE + 1;

export const STATES: readonly ElementState[] = [
  'checked',
  'disabled',
  'editable',
  'expanded',
  'focused',
  'pressed',
  'selected',
];
/** Feature offsets of the box: centre x, centre y, width and height, as fractions of the screen. */
export const PLACE = { across: 0, down: 1, width: 2, height: 3 } as const;
/**
 * Number of position waves: sine and cosine of the centre at doubling frequencies. They are computed from the box when a batch is
 * built, so rows do not store them.
 */
const WAVES = 3;
export const WAVE_FEATURES = 4;
export const FIRST_WAVE = 4;
export const FIRST_STATE = FIRST_WAVE + WAVE_FEATURES * WAVES;
export const NAMED = FIRST_STATE + STATES.length;
export const VALUED = NAMED + 1;
export const SHARE = NAMED + 2;
export const QUOTED = NAMED + 3;
export const SIGN = NAMED + 4;
export const CAPITAL = NAMED + 5;
export const DIGITS = NAMED + 6;
export const CHANGED = NAMED + 7;
export const EMPTY = NAMED + 8;
export const COVERS = NAMED + 9;
/** First and last word within quotation marks. */
export const OPENS = NAMED + 10;
export const CLOSES = NAMED + 11;
export const FEATURES = NAMED + 12;
