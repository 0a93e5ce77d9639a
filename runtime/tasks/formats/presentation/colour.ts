// Fills and colours as they are written in a file. Colours of the theme are not resolved.

import type { Element } from '../xml.ts';
import { find, neededAttribute, type QualifiedName } from './dom.ts';
import { PresentationError } from './presentation-error.ts';

export type Rgb = readonly [red: number, green: number, blue: number];

const FILLS = ['noFill', 'solidFill', 'gradFill', 'blipFill', 'pattFill', 'grpFill'] as const;
const COLOURS: readonly QualifiedName[] = [
  'a:scrgbClr',
  'a:srgbClr',
  'a:hslClr',
  'a:sysClr',
  'a:schemeClr',
  'a:prstClr',
];

export interface ShapeFill {
  readonly kind: (typeof FILLS)[number];
  readonly element: Element;
}

/** The fill below an element. Of two kinds of fill the one that comes first in FILLS counts. */
export function fillOf(parent: Element | undefined): ShapeFill | undefined {
  for (const kind of FILLS) {
    const element = find(parent, `a:${kind}`);
    if (element !== undefined) return { kind, element };
  }
  return undefined;
}

/** The colour of a solid fill; undefined for a colour of the theme or the system, and for none. */
export function rgbOf(solidFill: Element): Rgb | undefined {
  const name = COLOURS.find(each => find(solidFill, each) !== undefined);
  const element = name === 'a:srgbClr' ? find(solidFill, name) : undefined;
  return element && parseRgb(neededAttribute(element, 'val'));
}

function parseRgb(text: string): Rgb {
  const [red, green, blue] = [text.slice(0, 2), text.slice(2, 4), text.slice(4)].map(part =>
    /^[0-9a-f]+$/i.test(part) ? Number.parseInt(part, 16) : 256,
  );
  if (red === undefined || green === undefined || blue === undefined || Math.max(red, green, blue) > 255)
    throw new PresentationError(`${JSON.stringify(text)} is not a colour. Write it as FF8800.`);
  return [red, green, blue];
}

export const sameRgb = (first: Rgb | undefined, second: Rgb | undefined): boolean =>
  first === second || first?.join() === second?.join();
