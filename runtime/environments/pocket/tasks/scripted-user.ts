// A scripted user of a pocket desktop. It finds elements by role and name, performs the actions that an agent has, and
// records each of them. Scripted solutions and near misses are scripts of such a user.

import type { Action } from '../../../core/action.ts';
import { key } from '../../../core/key.ts';
import { centre, type Element, type Point } from '../../../core/screen.ts';
import type { PocketMachine } from '../machine.ts';

const MAX_SCROLLS = 20;

export class ScriptedUser {
  readonly actions: Action[] = [];
  readonly #machine: PocketMachine;
  readonly #meant: (action: Action) => Action;

  /** `meant` may replace an action by another one on the same targets before it is performed. */
  constructor(machine: PocketMachine, meant: (action: Action) => Action = action => action) {
    this.#machine = machine;
    this.#meant = meant;
  }

  get world(): PocketMachine['world'] {
    return this.#machine.world;
  }

  do(action: Action): void {
    const performed = this.#meant(action);
    this.actions.push(performed);
    this.#machine.perform(performed);
  }

  /** The frontmost visible element with this role and name. */
  find(role: string, name: string): Element | undefined {
    return this.#machine.elements().findLast(element => element.role === role && element.name === name);
  }

  at(role: string, name: string): Point {
    const found = this.find(role, name);
    if (found !== undefined) return centre(found.box);
    const visible = this.#machine.elements().map(element => `${element.role} '${element.name}'`);
    throw new RangeError(
      `The script needs ${role} '${name}', which is not visible. Visible: ${visible.join(', ')}.`,
    );
  }

  /** Whether the taskbar button of an application is pressed. */
  isInFront(app: string): boolean {
    return this.#machine
      .elements()
      .some(element => element.name === app && element.states.includes('pressed'));
  }
}

/** The plan of a scripted user: one action, or a sequence of them. */
export type PocketScript = (user: ScriptedUser) => void;

export const steps =
  (...scripts: readonly PocketScript[]): PocketScript =>
  user => {
    for (const script of scripts) script(user);
  };

const perform =
  (action: (user: ScriptedUser) => Action): PocketScript =>
  user =>
    user.do(action(user));

export const click = (role: string, name: string): PocketScript =>
  perform(user => ({ kind: 'click', at: user.at(role, name) }));

export const doubleClick = (role: string, name: string): PocketScript =>
  perform(user => ({ kind: 'double_click', at: user.at(role, name) }));

/** Opens the context menu of an element and clicks one of its items. */
export const choose = (role: string, name: string, item: string): PocketScript =>
  steps(
    perform(user => ({ kind: 'right_click', at: user.at(role, name) })),
    click('menuitem', item),
  );

export const drag = (role: string, name: string, toRole: string, toName: string): PocketScript =>
  perform(user => ({ kind: 'drag', from: user.at(role, name), to: user.at(toRole, toName) }));

export const write = (text: string): PocketScript => perform(() => ({ kind: 'type', text }));

export const press = (first: string, ...others: readonly string[]): PocketScript =>
  perform(() => ({ kind: 'hotkey', keys: [key(first), ...others.map(key)] }));

/** Replaces the text of a field. */
export const fill =
  (role: string, name: string, text: string): PocketScript =>
  user => {
    click(role, name)(user);
    if (user.find(role, name)?.value !== '') press('ctrl', 'a')(user);
    // Typing an empty text is no input.
    (text === '' ? press('backspace') : write(text))(user);
  };

/** Brings an application to the front through the launcher, unless it is in front already. */
export const openApp =
  (app: string): PocketScript =>
  user => {
    if (user.isInFront(app)) return;
    if (user.find('button', app) !== undefined) click('button', app)(user);
    else steps(click('button', 'Apps'), click('menuitem', app))(user);
  };

/** Scrolls down over one element of a list until another element of it is visible. */
export const scrollTo =
  (role: string, name: string, over: string | undefined): PocketScript =>
  user => {
    const start = over === undefined ? undefined : user.find(role, over);
    for (let scrolls = 0; scrolls < MAX_SCROLLS && user.find(role, name) === undefined; scrolls++) {
      if (start === undefined) {
        throw new RangeError(
          `The script cannot scroll to ${role} '${name}': no element of its list is visible.`,
        );
      }
      user.do({ kind: 'scroll', at: centre(start.box), direction: 'down', notches: 5 });
    }
  };
