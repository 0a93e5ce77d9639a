// Paragraphs of docx files. Formatting is that of the paragraph itself: undefined means inherited from its style.

import type { Element } from '../xml.ts';
import { runText } from './run.ts';
import { choiceOf, invalid, signedTwipsOf } from './value.ts';
import { wordChild, wordChildren } from './word-xml.ts';

/** The paragraphs directly in a body, a cell or a footer: none of nested tables, content controls or text boxes. */
export const paragraphsOf = (container: Element): readonly Element[] => wordChildren(container, 'p');

/** The runs directly in a paragraph: none of hyperlinks, fields or tracked changes. */
export const runsOf = (paragraph: Element): readonly Element[] => wordChildren(paragraph, 'r');

/** The text of runs and hyperlinks. */
export const paragraphText = (paragraph: Element): string =>
  wordChildren(paragraph, 'r', 'hyperlink')
    .map(each => (each.localName === 'r' ? runText(each) : runsOf(each).map(runText).join('')))
    .join('');

const ALIGNMENTS = [
  'left',
  'center',
  'right',
  'both',
  'distribute',
  'mediumKashida',
  'highKashida',
  'lowKashida',
  'thaiDistribute',
] as const;

export function alignmentOf(paragraph: Element): (typeof ALIGNMENTS)[number] | undefined {
  const element = wordChild(paragraph, 'pPr', 'jc');
  return element && required(element, 'val', choiceOf(element, 'val', ALIGNMENTS));
}

const LINE_RULES = ['auto', 'exact', 'atLeast'] as const;

/** In lines if they are counted, else in EMU. */
export function lineSpacingOf(paragraph: Element): number | undefined {
  const element = wordChild(paragraph, 'pPr', 'spacing');
  const line = signedTwipsOf(element, 'line');
  if (element === undefined) return undefined;
  const rule = choiceOf(element, 'lineRule', LINE_RULES) ?? 'auto';
  if (line === undefined) return undefined;
  return rule === 'auto' ? line / EMU_PER_LINE : line;
}

/** Word counts a line as 12 points. */
const EMU_PER_LINE = 152_400;

const TAB_ALIGNMENTS = [
  'left',
  'center',
  'right',
  'decimal',
  'bar',
  'list',
  'clear',
  'end',
  'num',
  'start',
] as const;

export interface TabStop {
  readonly alignment: (typeof TAB_ALIGNMENTS)[number];
  readonly position: number;
}

export function tabStopsOf(paragraph: Element): readonly TabStop[] {
  const list = wordChild(paragraph, 'pPr', 'tabs');
  if (list === undefined) return [];
  return wordChildren(list, 'tab').map(each => ({
    alignment: required(each, 'val', choiceOf(each, 'val', TAB_ALIGNMENTS)),
    position: required(each, 'pos', signedTwipsOf(each, 'pos')),
  }));
}

function required<Value>(element: Element, name: string, value: Value | undefined): Value {
  if (value === undefined) throw invalid(element, name);
  return value;
}
