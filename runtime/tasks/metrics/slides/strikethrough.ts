// check_strikethrough: the first runs of some paragraphs have the attribute `strike`.

import { slidesOf, type XmlPart } from '../../formats/presentation/deck.ts';
import { attributeOf, find } from '../../formats/presentation/dom.ts';
import { bodyOf, hasText, shapesOf } from '../../formats/presentation/shapes.ts';
import { paragraphsOf, runsOf } from '../../formats/presentation/text.ts';
import { type Metric, MetricError, type Options, pass, rulesOf } from '../metric.ts';
import { scoreDeck } from './decks.ts';

export const checkStrikethrough: Metric = (result, expected) => {
  const rules = rulesOf(expected);
  const [slides, shapes, paragraphs] = [
    indices(rules, 'slide_index_s'),
    indices(rules, 'shape_index_s'),
    indices(rules, 'paragraph_index_s'),
  ];
  return scoreDeck(result, deck =>
    pass(
      slides.every(index => {
        const slide = slidesOf(deck).at(index);
        return slide !== undefined && shapes.every(shape => areStruck(slide, shape, paragraphs));
      }),
    ),
  );
};

/** Any value of the attribute counts, even `noStrike`. Negative indices count from the end. */
function areStruck(slide: XmlPart, shapeIndex: number, paragraphIndices: readonly number[]): boolean {
  const shape = shapesOf(slide).at(shapeIndex);
  if (shape === undefined || !hasText(shape)) return false;
  const paragraphs = paragraphsOf(bodyOf(shape));
  return paragraphIndices.every(index => {
    const paragraph = paragraphs.at(index);
    const run = paragraph && runsOf(paragraph)[0];
    return attributeOf(find(run, 'a:rPr'), 'strike') !== undefined;
  });
}

function indices(rules: Options, name: string): readonly number[] {
  const value = rules[name];
  if (Array.isArray(value) && value.every(Number.isInteger)) return value;
  throw new MetricError(
    `check_strikethrough has the rule ${name} ${JSON.stringify(value)}. Use a list of integers.`,
  );
}
