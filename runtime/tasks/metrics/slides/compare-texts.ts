// The texts of two slides: paragraphs, runs and fonts of each shape, and the alignment of all texts, also those in groups.

import type { XmlPart } from '../../formats/presentation/deck.ts';
import { bodyOf, textShapesOf } from '../../formats/presentation/shapes.ts';
import {
  alignmentOf,
  bodyText,
  fontOf,
  levelOf,
  type Paragraph,
  paragraphsOf,
  paragraphText,
  runsOf,
} from '../../formats/presentation/text.ts';
import { strip } from '../../formats/python/text.ts';
import type { Element } from '../../formats/xml.ts';
import { bulletsOf, sameBullets } from './compare-bullets.ts';
import { sameFont } from './compare-fonts.ts';
import type { CompareOptions } from './compare-options.ts';
import { everyPair } from './pairs.ts';

export type CompareTexts = (found: Element, wanted: Element) => boolean;

/** Compares the texts of one shape after the other of a pair of slides. */
export function textsComparison(found: XmlPart, wanted: XmlPart, options: CompareOptions): CompareTexts {
  const compared = new Set<Element>();
  const [foundBullets, wantedBullets] = [bulletsOf(found), bulletsOf(wanted)];
  const sameParagraph = (one: Paragraph, other: Paragraph): boolean => {
    for (const { element } of [one, other]) if (element !== undefined) compared.add(element);
    const [runs, others] = [runsOf(one), runsOf(other)];
    return (
      sameAlignment(one, other, options) &&
      (paragraphText(one) === paragraphText(other) || !options.examines('text')) &&
      sameLevel(one, other, options) &&
      (runs.length === others.length || !options.examines('run_count')) &&
      everyPair(runs, others, (run, another) => sameFont(fontOf(run), fontOf(another), options)) &&
      (runs.length === 0 ||
        !options.examines('bullets') ||
        sameBullets(foundBullets, wantedBullets, compared))
    );
  };
  return (one, other) => sameBody(one, other, options, sameParagraph);
}

/** The texts and the alignment of all shapes with text, also those in groups. */
export function sameAlignments(found: XmlPart, wanted: XmlPart, options: CompareOptions): boolean {
  const [first, second] = [textShapesOf(found), textShapesOf(wanted)];
  if (first.length !== second.length) return false;
  if (!options.examines('alignment')) return true;
  return everyPair(first, second, (one, other) =>
    sameBody(one, other, options, (paragraph, another) => sameAlignment(paragraph, another, options)),
  );
}

function sameBody(
  found: Element,
  wanted: Element,
  options: CompareOptions,
  sameParagraph: (one: Paragraph, other: Paragraph) => boolean,
): boolean {
  const [first, second] = [bodyOf(found), bodyOf(wanted)];
  if (strip(bodyText(first)) !== strip(bodyText(second)) && options.examines('text')) return false;
  const [paragraphs, others] = [paragraphsOf(first), paragraphsOf(second)];
  return paragraphs.length === others.length && everyPair(paragraphs, others, sameParagraph);
}

const sameAlignment = (one: Paragraph, other: Paragraph, { examines }: CompareOptions): boolean =>
  !examines('alignment') || (alignmentOf(one) ?? 'l') === (alignmentOf(other) ?? 'l');

/** The level is read also where it is not compared, since a wrong number is an error. */
function sameLevel(one: Paragraph, other: Paragraph, { examines }: CompareOptions): boolean {
  const [first, second] = [levelOf(one), levelOf(other)];
  return first === second || !examines('indent');
}
