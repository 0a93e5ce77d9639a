// The fields of an object that a model wrote, read one by one with the spellings that models use. `refuse` throws the error of the
// format.

import type { Point } from '../../core/screen.ts';
import { shortened } from '../model/conversation.ts';
import { type CoordinateSpace, toScreen } from '../model/frame.ts';
import { chordNames } from './keys.ts';
import { isLooseList, isLooseObject, type LooseObject, type LooseValue, looseValue } from './loose-object.ts';

export class Fields {
  constructor(
    readonly object: LooseObject,
    readonly refuse: (reason: string) => never,
  ) {}

  has(name: string): boolean {
    return (this.object.get(name) ?? null) !== null;
  }

  /** Undefined if the field is absent or null. Numbers are texts too. */
  text(name: string): string | undefined {
    const value = this.object.get(name) ?? undefined;
    if (value === undefined || typeof value === 'string') return value;
    return typeof value === 'number' ? String(value) : this.refuse(`needs ${name} as a string`);
  }

  number(name: string): number | undefined {
    const value = this.object.get(name) ?? undefined;
    if (value === undefined) return undefined;
    const number = numberOf(value);
    return Number.isFinite(number)
      ? number
      : this.refuse(`needs ${name} as a number, and has ${shown(value)}`);
  }

  flag(name: string): boolean {
    const value = this.object.get(name);
    return value === 1 || String(value).toLowerCase() === 'true';
  }

  /** A list of names, or a text such as 'ctrl+c'. */
  keyNames(name: string): readonly string[] {
    const value = listOf(this.object.get(name) ?? []);
    const names = isLooseList(value) ? value : [value];
    return names.flatMap(each =>
      typeof each === 'string' || typeof each === 'number'
        ? chordNames(withoutWrapping(String(each)))
        : this.refuse(`needs ${name} as a list of strings`),
    );
  }

  /** [x, y], the middle of a box [x1, y1, x2, y2], or {x, y}; undefined if the field is absent. */
  point(name: string, space: CoordinateSpace): Point | undefined {
    const value = this.object.get(name) ?? undefined;
    if (value === undefined) return undefined;
    const list = isLooseObject(value) ? [value.get('x') ?? '', value.get('y') ?? ''] : listOf(value);
    const numbers = isLooseList(list) ? list.map(numberOf) : [];
    const [x1 = Number.NaN, y1 = Number.NaN, x2 = x1, y2 = y1] = numbers;
    if (![x1, y1, x2, y2].every(Number.isFinite) || (numbers.length !== 2 && numbers.length !== 4))
      return this.refuse(`needs ${name} as [x, y], and has ${shown(value)}`);
    return this.place((x1 + x2) / 2, (y1 + y2) / 2, space);
  }

  place(x: number, y: number, space: CoordinateSpace): Point {
    const { width, height } = space.picture;
    return (
      toScreen(space, x, y) ??
      this.refuse(
        `points at (${x}, ${y}), outside the ${width} × ${height} picture: check the coordinate space`,
      )
    );
  }
}

const numberOf = (value: LooseValue): number => {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
};

/** Some models write a list as a text: "[10, 20]" or "10, 20". */
const listOf = (value: LooseValue): LooseValue => {
  if (typeof value !== 'string') return value;
  const inside = looseValue(value);
  if (isLooseList(inside)) return inside;
  return /^\s*-?[\d.]+\s*[,\s]\s*-?[\d.]+\s*$/.test(value) ? value.trim().split(/\s*,\s*|\s+/) : value;
};

/** Qwen models sometimes repeat the name of the field: "keys=['ctrl'". */
const withoutWrapping = (name: string): string =>
  name.replace(/^(?:keys=)?\[?['"](?=\w)/, '').replace(/(?<=\w)['"]\]?$/, '');

const shown = (value: LooseValue): string => {
  const text = isLooseObject(value) ? 'an object' : JSON.stringify(value);
  return text.length > 60 ? `${shortened(text, 60)}…` : text;
};
