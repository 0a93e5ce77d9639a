// The colours of page numbers: check_slide_numbers_color and check_page_number_colors.

import { sameRgb } from '../../formats/presentation/colour.ts';
import { mastersOf, slidesOf } from '../../formats/presentation/deck.ts';
import { allOf, attributeOf, find, isNamed, within } from '../../formats/presentation/dom.ts';
import { bodyOf, hasText, placeholdersOf, shapesOf } from '../../formats/presentation/shapes.ts';
import { bodyText, fontOfProperties } from '../../formats/presentation/text.ts';
import type { Element } from '../../formats/xml.ts';
import { type Metric, MetricError, pass, rulesOf } from '../metric.ts';
import { scoreDeck } from './decks.ts';
import { isDigits } from './digits.ts';
import { rootOfPart } from './package-part.ts';

/** A slide has a number, and the number of the master is red by default: its paragraph says so, whatever its runs say. */
export const checkSlideNumbersColour: Metric = result =>
  scoreDeck(result, deck => {
    const isNumber = (shape: Element): boolean => hasText(shape) && isDigits(bodyText(bodyOf(shape)));
    if (!slidesOf(deck).some(slide => shapesOf(slide).some(isNumber))) return 0;
    const number = mastersOf(deck)
      .flatMap(placeholdersOf)
      .find(shape => isNamed(shape, 'p:sp') && bodyText(bodyOf(shape)) === '<number>');
    const body = number && bodyOf(number);
    const paragraph = body && allOf(body, 'a:p')[0];
    const { colour } = fontOfProperties(find(paragraph, 'a:pPr', 'a:defRPr'));
    return pass(colour !== undefined && sameRgb(colour, [255, 0, 0]));
  });

/** Channels differ by more than this in a red, a green or a blue colour, and are below it in a black one. */
const THRESHOLD = 50;

const COLOURS: Readonly<Record<string, (red: number, green: number, blue: number) => boolean>> = {
  red: (red, green, blue) => red > green + THRESHOLD && red > blue + THRESHOLD,
  blue: (red, green, blue) => blue > green + THRESHOLD && blue > red + THRESHOLD,
  green: (red, green, blue) => green > red + THRESHOLD && green > blue + THRESHOLD,
  black: (red, green, blue) => red < THRESHOLD && green < THRESHOLD && blue < THRESHOLD,
};

/** The last colour but one of the first master has the named hue. Any other name of a colour accepts every colour. */
export const checkPageNumberColours: Metric = (result, expected) => {
  const { color } = rulesOf(expected);
  if (color === undefined)
    throw new MetricError('check_page_number_colors has no rule color. Use red, blue, green or black.');
  const root = rootOfPart(result, 'ppt/slideMasters/slideMaster1.xml');
  const colours = root && within(root, 'a:solidFill').flatMap(fill => within(fill, 'a:srgbClr'));
  const value = attributeOf(colours?.at(-2), 'val');
  if (value === undefined) return 0;
  const hasColour = typeof color === 'string' && Object.hasOwn(COLOURS, color) ? COLOURS[color] : undefined;
  if (hasColour === undefined) return 1;
  const channels = shiftedChannels(value);
  return pass(channels !== undefined && hasColour(...channels));
};

/** OSWorld expects `#` before the digits, which files do not have: FF8800 gives F8, 80 and 0. */
function shiftedChannels(value: string): readonly [number, number, number] | undefined {
  const parts = [value.slice(1, 3), value.slice(3, 5), value.slice(5, 7)];
  const [red, green, blue] = parts.map(part =>
    /^[0-9a-f]+$/i.test(part) ? Number.parseInt(part, 16) : Number.NaN,
  );
  if (red === undefined || green === undefined || blue === undefined) return undefined;
  return Number.isNaN(red + green + blue) ? undefined : [red, green, blue];
}
