// What each number says that a token is described by: its sort, its place among its like, and its features.

import type { ElementState } from '../core/screen.ts';
import { KINDS } from './action-kinds.ts';

/** Roles that desktops use; what is not among them counts as 'other'. */
const ROLES = [
  'other desktop window dialog titlebar button tab label radio slider checkbox dropdown list listitem menu menuitem textfield textarea',
  'tree treeitem table row columnheader cell gridcell alert scrollbar spinner document link image toolbar statusbar panel icon',
]
  .join(' ')
  .split(' ');

/** So many words of a token's name, and of its value, are read. */
export const NAME_WORDS = 6;
export const VALUE_WORDS = 4;
export const SLOTS_OF_WORDS = NAME_WORDS + VALUE_WORDS;

/** What a token is: the first ones say so by themselves, then come the kinds of what was done, then the roles of elements. */
export const WHOLE = 0;
export const WORD = 1;
export const PATCH = 2;
export const MEMORY = 3;
export const LINE = 4;
export const FIRST_PAST = 5;
export const FIRST_ROLE = FIRST_PAST + KINDS.length;
export const SORTS = FIRST_ROLE + ROLES.length + 8;
export const ROLE_NUMBERS = new Map(ROLES.map((role, index) => [role, FIRST_ROLE + index]));

/** Where a token stands among its like: words and lines by their number, what was done by how long ago, memories by their age. */
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
/** Where something is on the screen: the middle across and down, width and height, as shares of it. */
export const PLACE = { across: 0, down: 1, width: 2, height: 3 } as const;
/**
 * The same more finely, for the network: of the middle, the sine and cosine of so many waves, the first half as long as the screen is
 * wide. They follow from the place, so rows do not keep them.
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
/** The first and the last word between quotation marks. */
export const OPENS = NAMED + 10;
export const CLOSES = NAMED + 11;
export const FEATURES = NAMED + 12;
