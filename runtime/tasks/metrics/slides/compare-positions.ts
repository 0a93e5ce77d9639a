// The positions and sizes of two shapes. Several rules were made for one task each, so they name its slide, its text and its distance.

import { type PlacedShape, type ShapeSide, sideOf } from '../../formats/presentation/position.ts';
import { PresentationError } from '../../formats/presentation/presentation-error.ts';
import { bodyOf, hasText, kindOf, type ShapeKind } from '../../formats/presentation/shapes.ts';
import { bodyText } from '../../formats/presentation/text.ts';
import type { CompareOptions, Examined } from './compare-options.ts';

export interface ShapePair {
  readonly found: PlacedShape;
  readonly wanted: PlacedShape;
  /** Counted from 1. */
  readonly slideNumber: number;
  readonly options: CompareOptions;
}

/** The title or the table must lie below this line, the moved shape right of this one, the picture above this one. In EMU. */
const LOWER_PART = 3_600_000;
const RIGHT_PART = 4_320_000;
const UPPER_PART = 1_980_000;

const SIDES: readonly ShapeSide[] = ['left', 'top', 'width', 'height'];

/** A rule holds or does not hold for a pair of shapes; `examine_…` switches it on. */
const RULES = {
  title_bottom_position: pair => {
    const text = sharedText(pair);
    if (text === undefined) return hasSameBox(pair);
    return text !== 'Product Comparison' || isLower(pair);
  },
  table_bottom_position: pair =>
    pair.slideNumber === 3 && areBoth(pair, 'table') ? isLower(pair) : hasSameBox(pair),
  right_position: pair => {
    if (pair.slideNumber !== 2 || hasText(pair.found.shape) || hasText(pair.wanted.shape)) return true;
    const left = definedSide(pair.found, 'left');
    return left > definedSide(pair.wanted, 'left') && left >= RIGHT_PART;
  },
  top_position: pair => {
    if (pair.slideNumber !== 2 || !areBoth(pair, 'picture')) return true;
    const top = definedSide(pair.found, 'top');
    return top < definedSide(pair.wanted, 'top') && top <= UPPER_PART;
  },
  shape_for_shift_size: pair =>
    hasSameBox(pair) || sharedText(pair) === 'Elaborate on what you want to discuss.',
  image_size: pair => (areBoth(pair, 'picture') ? hasSameBox(pair, ['width', 'height']) : hasSameBox(pair)),
  modify_height: pair => {
    const haveNoText = !hasText(pair.found.shape) && !hasText(pair.wanted.shape);
    return haveNoText || areBoth(pair, 'freeform') ? hasSameBox(pair, ['height']) : hasSameBox(pair);
  },
} satisfies Partial<Record<Examined, (pair: ShapePair) => boolean>>;

const RULE_NAMES = Object.keys(RULES) as readonly (keyof typeof RULES)[];

export function samePosition(pair: ShapePair): boolean {
  if (pair.options.reports) readReported(pair);
  // Read also where the rule `shape` is off: OSWorld fails for a side that only one file defines.
  const isSame = hasSameBox(pair);
  if (!isSame && pair.options.examines('shape')) return false;
  return RULE_NAMES.every(name => !pair.options.examines(name) || RULES[name](pair));
}

/** Reads what OSWorld reports, since an error in it ends the comparison. */
function readReported({ found, wanted }: ShapePair): void {
  for (const placed of [found, wanted]) {
    kindOf(placed.shape);
    if (hasText(found.shape) && hasText(wanted.shape)) for (const side of SIDES) sideOf(placed, side);
  }
}

const hasSameBox = ({ found, wanted, options }: ShapePair, sides = SIDES): boolean =>
  sides.every(side => isClose(sideOf(found, side), sideOf(wanted, side), options.tolerance));

function isClose(first: number | undefined, second: number | undefined, tolerance: number): boolean {
  if (first === second) return true;
  if (first === 0 || second === 0) return false;
  const [a, b] = [defined(first), defined(second)];
  return Math.abs(a - b) / Math.max(Math.abs(a), Math.abs(b)) <= tolerance;
}

function isLower({ found, wanted }: ShapePair): boolean {
  const top = definedSide(found, 'top');
  return top > definedSide(wanted, 'top') && top >= LOWER_PART;
}

const definedSide = (placed: PlacedShape, side: ShapeSide): number => defined(sideOf(placed, side));

function defined(value: number | undefined): number {
  if (value === undefined)
    throw new PresentationError('A shape has no position. Give it a position and a size.');
  return value;
}

const areBoth = ({ found, wanted }: ShapePair, kind: ShapeKind): boolean =>
  kindOf(found.shape) === kind && kindOf(wanted.shape) === kind;

/** The text of both shapes; undefined if one has no text or the texts differ. */
function sharedText({ found, wanted }: ShapePair): string | undefined {
  if (!hasText(found.shape) || !hasText(wanted.shape)) return undefined;
  const text = bodyText(bodyOf(found.shape));
  return text === bodyText(bodyOf(wanted.shape)) ? text : undefined;
}
