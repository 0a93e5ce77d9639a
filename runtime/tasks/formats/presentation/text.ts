// Texts of shapes and table cells: bodies, paragraphs, runs and fonts. A value that a file leaves open is undefined; nothing is inherited.

import type { Element } from '../xml.ts';
import { flag, integer, oneOf } from './attribute-values.ts';
import { fillOf, type Rgb, rgbOf } from './colour.ts';
import { allOf, attributeOf, childrenOf, find, isNamed, leadingText, need, neededAttribute } from './dom.ts';

/** The paragraphs of a text body. A shape without a body has one empty paragraph, which has no element. */
export const paragraphsOf = (body: Element | undefined): readonly Paragraph[] =>
  body === undefined ? [{ element: undefined }] : allOf(body, 'a:p').map(element => ({ element }));

export interface Paragraph {
  readonly element: Element | undefined;
}

export const bodyText = (body: Element | undefined): string =>
  paragraphsOf(body).map(paragraphText).join('\n');

/** A line break is a vertical tab, as in PowerPoint's clipboard. */
export const paragraphText = ({ element }: Paragraph): string =>
  element === undefined ? '' : childrenOf(element).map(partText).join('');

function partText(element: Element): string {
  if (isNamed(element, 'a:r')) return leadingText(need(element, 'a:t')) ?? '';
  if (isNamed(element, 'a:br')) return '\v';
  const text = isNamed(element, 'a:fld') ? find(element, 'a:t') : undefined;
  return text === undefined ? '' : (leadingText(text) ?? '');
}

const ALIGNMENTS: readonly string[] = ['l', 'ctr', 'r', 'just', 'dist', 'thaiDist', 'justLow'];

/** As in the file: `l` for left, `ctr` for centred. */
export function alignmentOf({ element }: Paragraph): string | undefined {
  const text = attributeOf(find(element, 'a:pPr'), 'algn');
  return text === undefined ? undefined : oneOf(ALIGNMENTS, text, 'an alignment');
}

export const levelOf = ({ element }: Paragraph): number =>
  integer(attributeOf(find(element, 'a:pPr'), 'lvl') ?? '0');

/** The runs of a paragraph, without line breaks and fields. */
export const runsOf = ({ element }: Paragraph): readonly Element[] =>
  element === undefined ? [] : allOf(element, 'a:r');

export interface TextFont {
  readonly name: string | undefined;
  /** In hundredths of a point. */
  readonly size: number | undefined;
  readonly bold: boolean | undefined;
  readonly italic: boolean | undefined;
  /** The kind of line, as `sng` for a single one. */
  readonly underline: string | undefined;
  readonly strike: string | undefined;
  /** Undefined for a colour of the theme. */
  readonly colour: Rgb | undefined;
}

const UNDERLINES: readonly string[] = [
  ...['none', 'sng', 'words', 'dbl', 'heavy', 'dotted', 'dottedHeavy', 'dash', 'dashHeavy', 'dashLong'],
  ...['dashLongHeavy', 'dotDash', 'dotDashHeavy', 'dotDotDash', 'dotDotDashHeavy', 'wavy', 'wavyHeavy'],
  'wavyDbl',
];

export const fontOf = (run: Element): TextFont => fontOfProperties(find(run, 'a:rPr'));

export function fontOfProperties(properties: Element | undefined): TextFont {
  const parsed = <T>(name: string, parse: (text: string) => T): T | undefined => {
    const text = attributeOf(properties, name);
    return text === undefined ? undefined : parse(text);
  };
  const latin = find(properties, 'a:latin');
  const fill = fillOf(properties);
  return {
    name: latin && neededAttribute(latin, 'typeface'),
    size: parsed('sz', integer),
    bold: parsed('b', flag),
    italic: parsed('i', flag),
    underline: parsed('u', text => oneOf(UNDERLINES, text, 'an underline')),
    strike: attributeOf(properties, 'strike'),
    colour: fill?.kind === 'solidFill' ? rgbOf(fill.element) : undefined,
  };
}
