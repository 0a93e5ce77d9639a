// The fixed vocabulary of the micro model: special tokens, the 256 bytes, pairs of letters, numbers, words of user interfaces, and the
// phrases of its prompts and replies. Trained weights depend on the order; VOCABULARY names this list in their metadata.

import { crc32 } from '../../core/crc.ts';
import { INTERFACE_WORDS } from './interface-words.ts';

/** Special tokens spell nothing. No text encodes to them. */
export const PADDING = 0;
export const PATCH = 1;
/** Ends a reply. */
export const END = 2;
const SPECIAL = ['', '', ''];

export const FIRST_BYTE = SPECIAL.length;
const BYTES = 256;
export const FIRST_PIECE = FIRST_BYTE + BYTES;

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const PAIRS = LETTERS.flatMap(first => LETTERS.map(second => first + second));

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
const spaced = (text: string): string => ` ${text}`;
const withForms = (word: string): readonly string[] =>
  [word, capital(word)].flatMap(each => [each, spaced(each)]);

/** Numbers up to MAX_NUMBER are one token each, so that a coordinate or the number of an element is copied at once. */
const MAX_NUMBER = 999;
const NUMBERS = [
  ...Array.from({ length: 10 }, (_, tens) => `0${tens}`),
  ...Array.from({ length: MAX_NUMBER - 9 }, (_, index) => String(index + 10)),
];

const ROLES = (
  'desktop window dialog titlebar button tab label radio slider checkbox dropdown list listitem menu menuitem textfield textarea ' +
  'tree treeitem table row columnheader cell gridcell alert scrollbar spinner document link image toolbar statusbar panel icon'
).split(' ');

const STATES = [
  'checked',
  'checked, focused',
  'disabled',
  'disabled, focused',
  'editable',
  'editable, focused',
  'expanded',
  'focused',
  'pressed',
  'selected',
  'selected, focused',
];

const POINTING = ['click', 'left_double', 'right_single', 'hover', 'drag', 'scroll'];
const CALLS = [
  ...POINTING.map(name => `${name}(start_box='`),
  ...[
    "type(content='",
    "hotkey(key='",
    'wait()',
    'finished()',
    'call_user()',
    'finished(content=',
    'call_user(content=',
  ],
];

const PHRASES = [
  ...[
    'Task: ',
    '\nDone: ',
    '\nElements:\n',
    '\nScreen:\n',
    'Thought: ',
    '. ',
    '"',
    ' "',
    '" ',
    '"\n',
    ' "\n',
    '" = "',
    '" (',
    ')\n',
  ],
  ...ROLES.flatMap(role => [`${role} "`, `. ${role} "`]),
  ...STATES.flatMap(state => [`" (${state})\n`, `" (${state})`]),
  ...[
    'click ',
    'double-click ',
    'right-click ',
    'move to ',
    'drag ',
    'scroll ',
    '" to ',
    'type "',
    'press ',
    'wait',
    'done',
    'impossible',
  ],
  ...CALLS.flatMap(call => [call, `Action: ${call}`, `\nAction: ${call}`, `"\nAction: ${call}`]),
  ...[
    "')",
    "', end_box='",
    "', direction='up')",
    "', direction='down')",
    "', direction='left')",
    "', direction='right')",
  ],
  ...['<|box_start|>(', ')<|box_end|>', ")<|box_end|>')", ")<|box_end|>', end_box='<|box_start|>("],
  ...['2026-02-', '2026-03-', '2026-04-', '.txt', '.txt"', '.txt"\n', '.txt" to ', '\\n', "\\n')"],
];

/** The text of each token. Bytes have no entry of their own: they are written as characters below U+0080, or ''. */
export const PIECES: readonly string[] = [
  ...SPECIAL,
  ...Array.from({ length: BYTES }, (_, byte) => (byte < 0x80 ? String.fromCharCode(byte) : '')),
  ...new Set(
    [
      ...PHRASES,
      ...INTERFACE_WORDS.flatMap(withForms),
      ...PAIRS.flatMap(withForms),
      ...LETTERS.flatMap(letter => [spaced(letter), spaced(letter.toUpperCase())]),
      ...NUMBERS,
    ].filter(piece => piece.length > 1),
  ),
];

/** Changes whenever a token gets another number. */
export const VOCABULARY = `micro-1-${PIECES.length}-${crc32(new TextEncoder().encode(PIECES.join('\0'))).toString(16)}`;
