// The position and size of shapes in EMU, with the values that placeholders inherit.

import type { Element } from '../xml.ts';
import { coordinate, integer } from './attribute-values.ts';
import { type Deck, relatedPart, type XmlPart } from './deck.ts';
import { find, isNamed, need, neededAttribute } from './dom.ts';
import { placeholderIndex, placeholderOf, placeholderType } from './placeholder.ts';
import { PresentationError } from './presentation-error.ts';
import { placeholdersOf } from './shapes.ts';

export type ShapeSide = 'left' | 'top' | 'width' | 'height';

export interface PlacedShape {
  readonly deck: Deck;
  readonly slide: XmlPart;
  readonly shape: Element;
}

/** One side of a shape on a slide; undefined if nothing defines it. */
export function sideOf({ deck, slide, shape }: PlacedShape, side: ShapeSide): number | undefined {
  const own = ownSide(shape, side);
  const placeholder = placeholderOf(shape);
  if (own !== undefined || placeholder === undefined || !(isNamed(shape, 'p:sp') || isNamed(shape, 'p:pic')))
    return own;
  const layout = relatedPart(deck, slide, 'slideLayout');
  const index = placeholderIndex(placeholder);
  const base = placeholdersOf(layout).find(each => {
    const candidate = placeholderOf(each);
    return candidate !== undefined && placeholderIndex(candidate) === index;
  });
  return base && layoutSide(deck, layout, base, side);
}

const MASTER_TYPES: Readonly<Record<string, string>> = {
  body: 'body',
  chart: 'body',
  clipArt: 'body',
  ctrTitle: 'title',
  dgm: 'body',
  dt: 'dt',
  ftr: 'ftr',
  media: 'body',
  obj: 'body',
  pic: 'body',
  sldNum: 'sldNum',
  subTitle: 'body',
  tbl: 'body',
  title: 'title',
};

function layoutSide(deck: Deck, layout: XmlPart, shape: Element, side: ShapeSide): number | undefined {
  const own = ownSide(shape, side);
  const placeholder = placeholderOf(shape);
  if (own !== undefined || placeholder === undefined || !isNamed(shape, 'p:sp')) return own;
  const layoutType = placeholderType(placeholder);
  const type = MASTER_TYPES[layoutType];
  if (type === undefined)
    throw new PresentationError(`A layout has a placeholder ${layoutType} without a size. Give it a size.`);
  const base = placeholdersOf(relatedPart(deck, layout, 'slideMaster')).find(each => {
    const candidate = placeholderOf(each);
    if (!isNamed(each, 'p:sp')) throw new PresentationError('A master has a placeholder without text.');
    return candidate !== undefined && placeholderType(candidate) === type;
  });
  return base && ownSide(base, side);
}

function ownSide(shape: Element, side: ShapeSide): number | undefined {
  const frame = transformOf(shape);
  const isOffset = side === 'left' || side === 'top';
  const element = find(frame, isOffset ? 'a:off' : 'a:ext');
  if (element === undefined) return undefined;
  if (isOffset) return coordinate(neededAttribute(element, side === 'left' ? 'x' : 'y'));
  return integer(neededAttribute(element, side === 'width' ? 'cx' : 'cy'));
}

function transformOf(shape: Element): Element | undefined {
  if (isNamed(shape, 'p:graphicFrame')) return need(shape, 'p:xfrm');
  return find(need(shape, isNamed(shape, 'p:grpSp') ? 'p:grpSpPr' : 'p:spPr'), 'a:xfrm');
}
