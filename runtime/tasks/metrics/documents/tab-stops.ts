// Metric of tab stops.

import type { Docx } from '../../formats/document/docx.ts';
import { paragraphsOf, paragraphText, type TabStop, tabStopsOf } from '../../formats/document/paragraph.ts';
import { sectionsOf, textWidth } from '../../formats/document/section.ts';
import type { Element } from '../../formats/xml.ts';
import type { Metrics, Options } from '../metric.ts';
import { scorePair } from './open-documents.ts';
import { numberOf } from './rules.ts';
import { isBlank, splitAtSpaces } from './white-space.ts';

export const TAB_STOP_METRICS = {
  /** The mean distance of tab stops from the expected ones, as a share of the width of the text. */
  check_tabstops: (result, expected, options) => {
    const split = splitRule(options);
    return scorePair(result, expected, 'check_tabstops', (document, gold) => {
      const [paragraphs, wanted] = [filledParagraphs(document), filledParagraphs(gold)];
      if (paragraphs.length !== wanted.length || !paragraphs.every(each => isSplit(each, split))) return 0;
      const section = sectionsOf(gold)[0];
      const width = section && textWidth(section);
      if (!width || paragraphs.length === 0) return 0;
      let distance = 0;
      for (const [index, paragraph] of paragraphs.entries()) {
        const other = wanted[index];
        const moved = other && movement(tabsOf(paragraph), tabsOf(other));
        if (moved === undefined) return 0;
        distance += moved / width;
      }
      return Math.max(0, 1 - distance / paragraphs.length);
    });
  },
} satisfies Metrics;

interface SplitRule {
  readonly words: number | undefined;
  readonly index: number;
}

const splitRule = (options: Options): SplitRule => ({
  words: numberOf(options, 'word_number_split_by_tabstop', 'check_tabstops'),
  index: numberOf(options, 'index', 'check_tabstops') ?? 0,
});

/** The part at an index between tabs must have a number of words. */
function isSplit(paragraph: Element, { words, index }: SplitRule): boolean {
  if (words === undefined) return true;
  const part = paragraphText(paragraph).split('\t').at(index);
  return part !== undefined && splitAtSpaces(part).filter(word => !isBlank(word)).length === words;
}

const filledParagraphs = ({ body }: Docx): readonly Element[] =>
  paragraphsOf(body).filter(each => !isBlank(paragraphText(each)));

/** Tab stops that only remove inherited ones do not count, nor does the default one at the left. */
const tabsOf = (paragraph: Element): readonly TabStop[] =>
  tabStopsOf(paragraph).filter(
    ({ alignment, position }) => alignment !== 'clear' && !(alignment === 'left' && position === 0),
  );

/** The sum of distances; undefined if the tab stops differ in number or alignment. */
function movement(tabs: readonly TabStop[], wanted: readonly TabStop[]): number | undefined {
  const isSame = tabs.every(({ alignment }, index) => alignment === wanted[index]?.alignment);
  if (tabs.length !== wanted.length || !isSame) return undefined;
  return tabs.reduce(
    (sum, { position }, index) => sum + Math.abs(position - (wanted[index]?.position ?? position)),
    0,
  );
}
