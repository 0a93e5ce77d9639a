// Oracle scripts of the pages with fields: texts, dates, logins, tables and sums.

import type { Action } from '../../../../core/action.ts';
import type { Element } from '../../../../core/screen.ts';
import { click, clickAt, fill, type OracleView, press, type Script, typed } from './view.ts';

const SUBMIT = 'Submit';

function* focus(view: OracleView): Generator<Action, void> {
  yield click(view.nth(view.fields, 0));
}

function* focusNth(view: OracleView, instruction: string): Generator<Action, void> {
  const [number = ''] = view.read(instruction, /the (\d)\w+ input/);
  yield click(view.nth(view.fields, Number(number) - 1));
}

/** Fills all fields with one text, and presses the button. */
const fillAll = (textFrom: (view: OracleView, instruction: string) => string, button = SUBMIT): Script =>
  function* (view, instruction) {
    const text = textFrom(view, instruction);
    for (let index = 0; index < view.fields.length; index++) yield* fill(view.nth(view.fields, index), text);
    yield click(view.named(button, 'button'));
  };

const quotedText = (view: OracleView, instruction: string): string =>
  view.read(instruction, /"(.+?)"/)[0] ?? '';

function recased(view: OracleView, instruction: string): string {
  const [text = '', kase] = view.read(instruction, /"(.+)" in all (upper|lower) case/);
  return kase === 'upper' ? text.toUpperCase() : text.toLowerCase();
}

function* login(view: OracleView, instruction: string): Generator<Action, void> {
  const texts = view.read(instruction, /username "(.+?)" and the password "(.+?)"/);
  for (const [index, text] of texts.entries()) {
    yield click(view.nth(view.elements.filter(isTextBox), index));
    const cancel = view.find('Cancel', 'button');
    if (cancel !== undefined) {
      yield click(cancel);
      yield click(view.nth(view.fields, index));
    }
    yield typed(text);
  }
  const button = view.find('Login', 'button') ?? view.named('OK', 'button');
  yield click(button);
}

const isTextBox = ({ role }: Element): boolean => role === 'textfield';

/** Date and time fields have one part per number, which take digits one after another. The first part is at the left. */
const parts = (textFrom: (view: OracleView, instruction: string) => string): Script =>
  function* (view, instruction) {
    const field = view.nth(view.fields, 0);
    yield clickAt({ x: field.box.x + 8, y: field.box.y + Math.floor(field.box.height / 2) });
    yield typed(textFrom(view, instruction));
    yield click(view.named(SUBMIT, 'button'));
  };

const dateDigits = (view: OracleView, instruction: string): string =>
  view.read(instruction, /(\d\d)\/(\d\d)\/(\d{4})/).join('');

function timeDigits(view: OracleView, instruction: string): string {
  const [hour = '', minute = '', half = ''] = view.read(instruction, /Enter (\d+):(\d\d)\s([AP])M/);
  return `${hour.padStart(2, '0')}${minute}${half}`;
}

/** Opens the calendar, goes back to the month, and picks the day. */
function* pickDate(view: OracleView, instruction: string): Generator<Action, void> {
  const [month = '', day = ''] = view.read(instruction, /(\d\d)\/(\d\d)\/\d{4}/);
  yield click(view.nth(view.elements.filter(isTextBox), 0));
  const name = MONTHS[Number(month) - 1] ?? '';
  for (let back = 0; back < 12 && view.find(name) === undefined; back++) yield click(view.named('Prev'));
  yield click(view.named(String(Number(day)), 'link'));
  yield click(view.named(SUBMIT, 'button'));
}

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);

/** The value beside a key of the table. */
function valueBeside(view: OracleView, name: string): string {
  const cells = view.all('cell').map(cell => cell.name);
  return view.require(cells[cells.indexOf(name) + 1], `a value for ${name}`);
}

const namedCell = (view: OracleView, instruction: string): string =>
  valueBeside(view, view.read(instruction, /value of (.+) into/)[0] ?? '');

function* labelledCells(view: OracleView): Generator<Action, void> {
  for (const index of [0, 1]) {
    const field = view.nth(view.fields, index);
    const beside = view.all('label').filter(({ name, box }) => name.endsWith(':') && box.x < field.box.x);
    const near = (of: Element): number => Math.abs(of.box.y - field.box.y);
    const [label] = [...beside].sort((a, b) => near(a) - near(b));
    yield* fill(field, valueBeside(view, view.require(label, 'a label of the field').name.slice(0, -1)));
  }
  yield click(view.named(SUBMIT, 'button'));
}

/** The genre, the director and the year, in any order and layout. */
function* movie(view: OracleView, instruction: string): Generator<Action, void> {
  const [genre = '', director = '', year = ''] = view.read(
    instruction,
    /Search for (.+) movies directed by (.+) from year (\d+)/,
  );
  const kinds = [/^(Movie )?Genre/, /^Director/, /^(Year|Released)/];
  const order = view.elements
    .map(({ name }) => kinds.findIndex(kind => kind.test(name)))
    .filter(index => index !== -1)
    .filter((index, place, all) => all.indexOf(index) === place);
  for (const [place, index] of order.entries())
    yield* fill(view.nth(view.fields, place), [genre, director, year][index] ?? '');
  const buttons = ['Submit', 'Search', 'Go!'].map(name => view.find(name));
  yield click(
    view.require(
      buttons.find(button => button !== undefined),
      'a button',
    ),
  );
}

/** What the sum on the page equals. */
function sum(view: OracleView): string {
  const problem = view.elements.map(({ name }) => name).find(name => /^\d+ [-+x] \d+ =/.test(name));
  const [left = '', sign, right = ''] = view.read(problem ?? '', /^(\d+) ([-+x]) (\d+) =/);
  const [a, b] = [Number(left), Number(right)];
  return String(sign === '+' ? a + b : sign === '-' ? a - b : a * b);
}

/** The x in `x + 3 = 10` or `3 - x = 10`. */
function unknown(view: OracleView): string {
  const problem = view.elements.map(({ name }) => name).find(name => /= -?\d+$/.test(name));
  const [left = '', sign, right = '', result = ''] = view.read(
    problem ?? '',
    /^(\w+) ([-+]) (\w+) = (-?\d+)$/,
  );
  const answer = Number(result);
  if (sign === '+') return String(answer - Number(left === 'x' ? right : left));
  return String(left === 'x' ? answer + Number(right) : Number(left) - answer);
}

/** The word of a paragraph at the place that the instruction names. */
function wordAt(view: OracleView, instruction: string): string {
  const [place = ''] = view.read(instruction, /the (\d+)\w\w word/);
  const paragraph = view
    .all('label')
    .map(({ name }) => name)
    .join(' ');
  const word = view.nth(paragraph.split(/\s+/), Number(place) - 1);
  return word.replace(/[^a-zA-Z]+/g, '');
}

/** One box per letter, from left to right. */
const letters = (view: OracleView): string =>
  view
    .all('label')
    .filter(({ name }) => name.length === 1)
    .sort((a, b) => a.box.x - b.box.x)
    .map(({ name }) => name)
    .join('');

/** Types what a text area contains into the field of one line. */
function* copy(view: OracleView, instruction: string): Generator<Action, void> {
  const [place] = /the (\d)\w\w text area/.exec(instruction)?.slice(1) ?? ['1'];
  const { value } = view.nth(view.all('textarea'), Number(place) - 1);
  yield* fill(view.nth(view.fields.filter(isTextBox), 0), value);
  yield click(view.named(SUBMIT, 'button'));
}

function* autocomplete(view: OracleView, instruction: string): Generator<Action, void> {
  const [start = '', end = ''] = view.read(instruction, /starts with "(.+?)"(?: and ends with "(.+?)")?/);
  const field = view.nth(view.fields, 0);
  yield* fill(field, start);
  const options = view.elements.filter(
    ({ name, box }) => box.y > field.box.y && name.startsWith(start) && name.endsWith(end),
  );
  yield click(view.nth(options, 0));
  yield click(view.named(SUBMIT, 'button'));
}

/** Halves the range with each guess. */
function* guess(view: OracleView): Generator<Action, void> {
  for (let [low, high] = [0, 9]; low <= high; ) {
    const number = Math.floor((low + high) / 2);
    const field = view.nth(view.fields, 0);
    yield {
      kind: 'triple_click',
      at: { x: field.box.x + 6, y: field.box.y + Math.floor(field.box.height / 2) },
    };
    yield press('backspace');
    yield typed(String(number));
    yield click(view.named(SUBMIT, 'button'));
    const isLower = view.elements.some(({ name }) => name.includes('lower than'));
    [low, high] = isLower ? [low, number - 1] : [number + 1, high];
  }
}

export const FORMS: Readonly<Record<string, Script>> = {
  'focus-text': focus,
  'focus-text-2': focusNth,
  'enter-text': fillAll(quotedText),
  'enter-text-2': fillAll(recased),
  'enter-text-dynamic': fillAll(quotedText),
  'enter-password': fillAll(quotedText),
  'text-transform': fillAll(letters),
  'login-user': login,
  'login-user-popup': login,
  'enter-date': parts(dateDigits),
  'enter-time': parts(timeDigits),
  'choose-date': pickDate,
  'choose-date-easy': pickDate,
  'choose-date-medium': pickDate,
  'choose-date-nodelay': pickDate,
  'read-table': fillAll(namedCell),
  'read-table-2': labelledCells,
  'multi-layouts': movie,
  'multi-orderings': movie,
  'simple-algebra': fillAll(unknown),
  'simple-arithmetic': fillAll(sum),
  'find-word': fillAll(wordAt),
  'copy-paste': copy,
  'copy-paste-2': copy,
  'use-autocomplete': autocomplete,
  'use-autocomplete-nodelay': autocomplete,
  'guess-number': guess,
};
