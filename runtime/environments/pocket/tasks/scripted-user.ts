// A hand that uses a pocket desktop as a person would: it looks for things by what they are called, and does what an agent
// can do. Scripted solutions are written with it, and every action it takes is recorded.

import type { Action } from '../../../core/action.ts';
import { key } from '../../../core/key.ts';
import { centre, type Element, type Point } from '../../../core/screen.ts';
import type { PocketMachine } from '../machine.ts';

export class ScriptedUser {
  readonly actions: Action[] = [];
  readonly #machine: PocketMachine;

  constructor(machine: PocketMachine) {
    this.#machine = machine;
  }

  get world(): PocketMachine['world'] {
    return this.#machine.world;
  }

  do(action: Action): void {
    this.actions.push(action);
    this.#machine.perform(action);
  }

  /** The frontmost element of a role and name that can be seen; undefined where there is none. */
  seen(role: string, name: string): Element | undefined {
    return this.#machine.elements().findLast(element => element.role === role && element.name === name);
  }

  at(role: string, name: string): Point {
    const found = this.seen(role, name);
    if (found !== undefined) return centre(found.box);
    const there = this.#machine.elements().map(element => `${element.role} '${element.name}'`);
    throw new RangeError(`There is no ${role} '${name}' to be seen among ${there.join(', ')}.`);
  }

  click(role: string, name: string): void {
    this.do({ kind: 'click', at: this.at(role, name) });
  }

  double(role: string, name: string): void {
    this.do({ kind: 'double_click', at: this.at(role, name) });
  }

  /** Opens the context menu of something, and chooses from it. */
  choose(role: string, name: string, item: string): void {
    this.do({ kind: 'right_click', at: this.at(role, name) });
    this.click('menuitem', item);
  }

  drag(role: string, name: string, toRole: string, toName: string): void {
    this.do({ kind: 'drag', from: this.at(role, name), to: this.at(toRole, toName) });
  }

  type(text: string): void {
    this.do({ kind: 'type', text });
  }

  keys(first: string, ...others: string[]): void {
    this.do({ kind: 'hotkey', keys: [key(first), ...others.map(key)] });
  }

  /** Writes into a field, whatever was there. */
  fill(role: string, name: string, text: string): void {
    this.click(role, name);
    if (this.seen(role, name)?.value !== '') this.keys('ctrl', 'a');
    this.type(text);
  }

  /** Opens an application from the launcher, unless its window is in front already. */
  open(app: string): void {
    const button = this.#machine
      .elements()
      .find(element => element.name === app && element.states.includes('pressed'));
    if (button !== undefined) return;
    if (this.seen('button', app) !== undefined) {
      this.click('button', app);
      return;
    }
    this.click('button', 'Apps');
    this.click('menuitem', app);
  }

  /** Scrolls over one thing until another can be seen. */
  scrollTo(over: Element | undefined, role: string, name: string, direction: 'up' | 'down' = 'down'): void {
    for (let turn = 0; turn < 20 && this.seen(role, name) === undefined; turn++) {
      if (over === undefined)
        throw new RangeError(`There is nothing to scroll over on the way to ${role} '${name}'.`);
      this.do({ kind: 'scroll', at: centre(over.box), direction, notches: 5 });
    }
  }

  finish(): void {
    this.do({ kind: 'finished', answer: '' });
  }

  giveUp(why: string): void {
    this.do({ kind: 'fail', why });
  }
}
