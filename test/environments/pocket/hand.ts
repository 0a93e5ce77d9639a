// Test driver of the pocket desktop: it acts on elements by name, as an agent does, and reads the elements.

import { key } from '../../../runtime/core/key.ts';
import { centre, type Element, type Point } from '../../../runtime/core/screen.ts';
import { PocketMachine } from '../../../runtime/environments/pocket/machine.ts';
import { emptyWorld, type PocketWorld } from '../../../runtime/environments/pocket/world.ts';

export class Hand {
  readonly world: PocketWorld;
  readonly machine: PocketMachine;

  constructor(fill: (world: PocketWorld) => void = () => {}) {
    this.world = emptyWorld();
    fill(this.world);
    this.machine = new PocketMachine(this.world, { width: 320, height: 240 });
  }

  /** The front element with a name, and a role if given. */
  find(name: string, role?: string): Element | undefined {
    return this.machine
      .elements()
      .findLast(each => each.name === name && (role === undefined || each.role === role));
  }

  element(name: string, role?: string): Element {
    const found = this.find(name, role);
    if (found !== undefined) return found;
    const shown = this.machine.elements().map(each => `${each.role} '${each.name}'`);
    throw new Error(`There is no ${role ?? 'element'} '${name}'. The screen has ${shown.join(', ')}.`);
  }

  /** The names of all elements of a role; rows come in order from the top. */
  names(role: string): readonly string[] {
    return this.machine
      .elements()
      .filter(each => each.role === role)
      .map(each => each.name);
  }

  at(name: string, role?: string): Point {
    return centre(this.element(name, role).box);
  }

  click(name: string, role?: string): void {
    this.machine.perform({ kind: 'click', at: this.at(name, role) });
  }

  double(name: string, role?: string): void {
    this.machine.perform({ kind: 'double_click', at: this.at(name, role) });
  }

  right(name: string, role?: string): void {
    this.machine.perform({ kind: 'right_click', at: this.at(name, role) });
  }

  drag(from: Point, to: Point): void {
    this.machine.perform({ kind: 'drag', from, to });
  }

  scroll(name: string, direction: 'up' | 'down', notches: number): void {
    this.machine.perform({ kind: 'scroll', at: this.at(name), direction, notches });
  }

  type(text: string): void {
    this.machine.perform({ kind: 'type', text });
  }

  /** One hotkey, as 'ctrl+s'. */
  keys(combination: string): void {
    const [first = '', ...others] = combination.split('+');
    this.machine.perform({ kind: 'hotkey', keys: [key(first), ...others.map(key)] });
  }

  /** Opens an application with the launcher. */
  open(app: string): void {
    this.click('Apps', 'button');
    this.click(app, 'menuitem');
  }
}
