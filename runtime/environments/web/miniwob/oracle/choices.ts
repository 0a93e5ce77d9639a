// Oracle scripts of the pages with buttons, links, boxes to check, tabs and lists.

import type { Action } from '../../../../core/action.ts';
import type { Element } from '../../../../core/screen.ts';
import { groupOf } from './synonyms.ts';
import { click, clickAt, type OracleView, press, type Script, typed } from './view.ts';

/** Clicks on what the instruction quotes. */
const quoted = (...roles: readonly string[]): Script =>
  function* (view, instruction) {
    const [name = ''] = view.read(instruction, /"(.+)"/);
    yield click(view.named(name, ...roles));
  };

function* oneButton(view: OracleView): Generator<Action, void> {
  yield click(view.nth(view.all('button'), 0));
}

function* numberedButtons(view: OracleView, instruction: string): Generator<Action, void> {
  for (const [name] of instruction.matchAll(/\b(?:ONE|TWO)\b/g)) yield click(view.named(name, 'button'));
}

function* closeDialog(view: OracleView): Generator<Action, void> {
  yield click(view.named('Close', 'button'));
}

function* dialogButton(view: OracleView, instruction: string): Generator<Action, void> {
  const [name = ''] = view.read(instruction, /"(.+)"/);
  yield click(view.named(name === 'x' ? 'Close' : name, 'button'));
}

/** Checks what `isWanted` accepts, and submits. */
const check = (isWanted: (wanted: readonly string[], name: string) => boolean): Script =>
  function* (view, instruction) {
    const [list = ''] = view.read(instruction, /^Select (?:words similar to )?(.*) and click Submit\.$/);
    const wanted = list === 'nothing' ? [] : list.split(', ');
    for (const box of view.all('checkbox', 'radio')) if (isWanted(wanted, box.name)) yield click(box);
    yield click(view.named('Submit', 'button'));
  };

const WIDGETS: Readonly<Record<string, readonly string[]>> = {
  radio: ['radio'],
  checkbox: ['checkbox'],
  text: ['textfield'],
  textarea: ['textarea'],
  button: ['button'],
};

function* widget(view: OracleView, instruction: string): Generator<Action, void> {
  const [kind = ''] = view.read(instruction, /"(\w+)"/);
  yield click(view.nth(view.all(...(WIDGETS[kind] ?? [])), 0));
}

function* tab(view: OracleView, instruction: string): Generator<Action, void> {
  const [name = ''] = view.read(instruction, /(Tab #\d)/);
  yield click(view.named(name, 'tab'));
}

/** Opens one tab or section after another until the link of the instruction is visible. */
function* linkBehindTabs(view: OracleView, instruction: string): Generator<Action, void> {
  const [name = ''] = view.read(instruction, /"(.+)"/);
  const visible = (): Element | undefined => view.find(name);
  const tabs = view.all('tab');
  for (let index = 0; index < tabs.length && visible() === undefined; index++) {
    const next = view.nth(view.all('tab'), index);
    if (!next.states.includes('selected')) yield click(next);
  }
  yield click(view.named(name));
}

function* collapsedButton(view: OracleView): Generator<Action, void> {
  yield click(view.nth(view.all('tab'), 0));
  yield click(view.named('Submit', 'button'));
}

/** A select box takes the typed name of an option. */
function* list(view: OracleView, instruction: string): Generator<Action, void> {
  const [name = ''] = view.read(instruction, /^Select (.+) from the list/);
  yield click(view.nth(view.all('dropdown'), 0));
  const option = view.find(name, 'option');
  if (option !== undefined) yield click(option);
  else {
    yield typed(name);
    yield press('enter');
  }
  yield click(view.named('Submit', 'button'));
}

function* radioAndText(view: OracleView, instruction: string): Generator<Action, void> {
  const [radio = '', number = '', field = ''] = view.read(
    instruction,
    /Check the (\d)\w+ radio button and enter the number "(-?\d+)" into the (\d)/,
  );
  yield click(view.nth(view.all('radio'), Number(radio) - 1));
  yield click(view.nth(view.fields, Number(field) - 1));
  yield typed(number);
  yield click(view.named('Submit', 'button'));
}

function* spinner(view: OracleView, instruction: string): Generator<Action, void> {
  const [number = ''] = view.read(instruction, /Select (-?\d+)/);
  yield click(view.nth(view.all('spinner'), 0));
  for (let left = Math.abs(Number(number)); left > 0; left--) yield press(Number(number) > 0 ? 'up' : 'down');
  yield click(view.named('Submit', 'button'));
}

function* oddOrEven(view: OracleView): Generator<Action, void> {
  const numbers = view.elements.filter(({ name }) => /^-?\d+$/.test(name));
  for (const number of numbers) {
    const name = Number(number.name) % 2 === 0 ? 'Even' : 'Odd';
    const row = view.all('button').filter(({ box }) => Math.abs(box.y - number.box.y) < 12);
    yield click(
      view.require(
        row.find(each => each.name === name),
        `a button ${name} beside ${number.name}`,
      ),
    );
  }
  yield click(view.named('Submit', 'button'));
}

/** The middle of the closed menu opens it. */
function* pieMenu(view: OracleView, instruction: string): Generator<Action, void> {
  const [name = ''] = view.read(instruction, /"(.)"/);
  yield click(view.nth(view.all('label', 'shape', 'button'), 0));
  // Beside the letter: a press on a thin one does not reach its slice.
  const { box } = view.named(name, 'label');
  yield clickAt({ x: box.x - 4, y: box.y + Math.floor(box.height / 2) });
}

export const CHOICES: Readonly<Record<string, Script>> = {
  'click-test': oneButton,
  'click-test-2': numberedButtons,
  'click-test-transfer': numberedButtons,
  'click-button-sequence': numberedButtons,
  'click-button': quoted('button'),
  'unicode-test': quoted('button'),
  'click-link': quoted(),
  'click-dialog': closeDialog,
  'click-dialog-2': dialogButton,
  'click-checkboxes': check((wanted, name) => wanted.includes(name)),
  'click-checkboxes-large': check((wanted, name) => wanted.includes(name)),
  'click-checkboxes-transfer': check((wanted, name) => wanted.includes(name)),
  'click-checkboxes-soft': check((wanted, name) => wanted.some(word => groupOf(word) === groupOf(name))),
  'click-pie': pieMenu,
  'click-pie-nodelay': pieMenu,
  'click-option': check((wanted, name) => wanted.includes(name)),
  'click-widget': widget,
  'click-tab': tab,
  'click-tab-2': linkBehindTabs,
  'click-tab-2-easy': linkBehindTabs,
  'click-tab-2-medium': linkBehindTabs,
  'click-tab-2-hard': linkBehindTabs,
  'click-collapsible': collapsedButton,
  'click-collapsible-nodelay': collapsedButton,
  'click-collapsible-2': linkBehindTabs,
  'click-collapsible-2-nodelay': linkBehindTabs,
  'choose-list': list,
  'form-sequence-2': radioAndText,
  'use-spinner': spinner,
  'odd-or-even': oddOrEven,
};
