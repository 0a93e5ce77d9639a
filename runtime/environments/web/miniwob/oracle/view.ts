// What an oracle script sees, and the actions that it makes of it: the elements of the screen that an agent sees, and their pixels. A script
// has no access to the page.

import type { Action } from '../../../../core/action.ts';
import { BoundaryError } from '../../../../core/failure.ts';
import { key } from '../../../../core/key.ts';
import { type Box, centre, type Element, type Point, type Screen } from '../../../../core/screen.ts';

/** The instruction of every page is above this line. */
const TASK_TOP = 50;

/** Yields one action after another; the view has the screen after each. */
export type Script = (view: OracleView, instruction: string) => Generator<Action, void>;

export class OracleView {
  screen: Screen | undefined;

  constructor(readonly page: string) {}

  /** The elements of the task, from top to bottom and from left to right. */
  get elements(): readonly Element[] {
    const inTask = (this.screen?.elements ?? []).filter(({ box }) => box.y + box.height > TASK_TOP);
    return inTask.sort((a, b) => a.box.y - b.box.y || a.box.x - b.box.x);
  }

  all(...roles: readonly string[]): readonly Element[] {
    return this.elements.filter(({ role }) => roles.includes(role));
  }

  /** Fields that take text. */
  get fields(): readonly Element[] {
    return this.elements.filter(({ states }) => states.includes('editable') && !states.includes('disabled'));
  }

  /** The element with this name, controls before texts. */
  find(name: string, ...roles: readonly string[]): Element | undefined {
    const found = this.elements.filter(
      each => each.name === name && (roles.length === 0 || roles.includes(each.role)),
    );
    return found.find(({ role }) => role !== 'label') ?? found[0];
  }

  /** Fails the script, not the agent, if there is none. */
  named(name: string, ...roles: readonly string[]): Element {
    return this.require(this.find(name, ...roles), `a ${roles.join(' or ') || 'thing'} named "${name}"`);
  }

  nth<T>(list: readonly T[], index: number): T {
    return this.require(list[index], `element ${index + 1} of ${list.length}`);
  }

  require<T>(value: T | undefined, what: string): T {
    if (value === undefined) throw this.failure(`the screen does not show ${what}`);
    return value;
  }

  /** The groups of a pattern in a text, which is the instruction or something on the screen. */
  read(text: string, pattern: RegExp): readonly string[] {
    const found = pattern.exec(text);
    if (found === null) throw this.failure(`"${text}" does not match ${pattern}`);
    return found.slice(1).map(group => group ?? '');
  }

  failure(problem: string): BoundaryError {
    const message = `The oracle script cannot continue: ${problem}. Report it; the page may have changed.`;
    return new BoundaryError({ boundary: 'task', thing: `miniwob-${this.page}`, message });
  }

  /** The colour of a pixel. */
  colour({ x, y }: Point): PixelColour {
    const { pixels } = this.require(this.screen, 'pixels');
    const channels = pixels.layout === 'rgba' ? 4 : 3;
    const at = (y * pixels.width + x) * channels;
    const [red = 0, green = 0, blue = 0] = pixels.data.subarray(at, at + 3);
    return [red, green, blue];
  }

  /** The colour of the pixel that differs most from white: that of a letter or a thin shape. */
  ink({ x, y, width, height }: Box): PixelColour {
    let darkest: PixelColour = [255, 255, 255];
    for (let row = y; row < y + height; row++)
      for (let column = x; column < x + width; column++) {
        const colour = this.colour({ x: column, y: row });
        if (distance(colour, WHITE) > distance(darkest, WHITE)) darkest = colour;
      }
    return darkest;
  }
}

export type PixelColour = readonly [red: number, green: number, blue: number];
const WHITE: PixelColour = [255, 255, 255];

export const distance = (a: PixelColour, b: PixelColour): number =>
  Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]) + Math.abs(a[2] - b[2]);

export const clickAt = (at: Point): Action => ({ kind: 'click', at });

export const click = ({ box }: Element): Action => clickAt(centre(box));

export const typed = (text: string): Action => ({ kind: 'type', text });

export const press = (name: string): Action => ({ kind: 'hotkey', keys: [key(name)] });

/** Types into an empty field. */
export function* fill(field: Element, text: string): Generator<Action, void> {
  yield click(field);
  yield typed(text);
}
