// compare_pptx_files: two presentations are equal in everything that the options examine.

import { backgroundOf, notesOf } from '../../formats/presentation/background.ts';
import { type Rgb, rgbOf, sameRgb } from '../../formats/presentation/colour.ts';
import { type Deck, slidesOf, type XmlPart } from '../../formats/presentation/deck.ts';
import { PresentationError } from '../../formats/presentation/presentation-error.ts';
import { hasText, kindOf, shapesOf } from '../../formats/presentation/shapes.ts';
import { strip } from '../../formats/python/text.ts';
import { type Metric, pass } from '../metric.ts';
import { type CompareOptions, compareOptions } from './compare-options.ts';
import { samePosition } from './compare-positions.ts';
import { sameTable } from './compare-tables.ts';
import { sameAlignments, textsComparison } from './compare-texts.ts';
import { readExpected, scoreDeck } from './decks.ts';
import { everyPair } from './pairs.ts';

const NAME = 'compare_pptx_files';

export const comparePresentations: Metric = (result, expected, taskOptions) => {
  const options = compareOptions(taskOptions);
  const wanted = readExpected(expected, NAME, deck => deck);
  return scoreDeck(result, found => {
    try {
      return pass(samePresentation(found, wanted, options));
    } catch (error) {
      // The task is wrong if its file cannot even be compared with itself.
      readExpected(expected, NAME, deck => samePresentation(deck, deck, options));
      throw error;
    }
  });
};

function samePresentation(found: Deck, wanted: Deck, options: CompareOptions): boolean {
  const [slides, others] = [slidesOf(found), slidesOf(wanted)];
  if (slides.length !== others.length && options.examines('number_of_slides')) return false;
  return everyPair(slides, others, (slide, other, index) =>
    sameSlide({ deck: found, slide }, { deck: wanted, slide: other }, index + 1, options),
  );
}

interface Place {
  readonly deck: Deck;
  readonly slide: XmlPart;
}

function sameSlide(found: Place, wanted: Place, slideNumber: number, options: CompareOptions): boolean {
  const [colour, otherColour] = [backgroundColour(found), backgroundColour(wanted)];
  if (!sameRgb(colour, otherColour) && options.examines('background_color')) return false;
  const [notes, otherNotes] = [notesOf(found.deck, found.slide), notesOf(wanted.deck, wanted.slide)];
  if (strip(notes) !== strip(otherNotes) && options.examines('note')) return false;
  return (
    sameShapes(found, wanted, slideNumber, options) && sameAlignments(found.slide, wanted.slide, options)
  );
}

function sameShapes(found: Place, wanted: Place, slideNumber: number, options: CompareOptions): boolean {
  const [shapes, others] = [shapesOf(found.slide), shapesOf(wanted.slide)];
  const sameTexts = textsComparison(found.slide, wanted.slide, options);
  return (
    shapes.length === others.length &&
    everyPair(
      shapes,
      others,
      (shape, other) =>
        samePosition({
          found: { ...found, shape },
          wanted: { ...wanted, shape: other },
          slideNumber,
          options,
        }) &&
        (kindOf(shape) !== 'table' || sameTable(shape, other, options)) &&
        (!hasText(shape) || !hasText(other) || sameTexts(shape, other)),
    )
  );
}

/** Undefined without a solid fill. A solid fill of the theme has no colour that can be compared, which is an error. */
function backgroundColour({ deck, slide }: Place): Rgb | undefined {
  const fill = backgroundOf(deck, slide);
  if (fill === undefined) return undefined;
  const colour = rgbOf(fill.element);
  if (colour === undefined)
    throw new PresentationError('A background has a colour of the theme. Use an RGB colour.');
  return colour;
}
