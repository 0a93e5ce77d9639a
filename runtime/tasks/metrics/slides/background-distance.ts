// evaluate_presentation_fill_to_rgb_distance: how near the backgrounds of all slides are to a colour.

import { backgroundOf } from '../../formats/presentation/background.ts';
import { type Rgb, rgbOf, sameRgb } from '../../formats/presentation/colour.ts';
import { type Deck, slidesOf, type XmlPart } from '../../formats/presentation/deck.ts';
import { PresentationError } from '../../formats/presentation/presentation-error.ts';
import { type Metric, MetricError, rulesOf } from '../metric.ts';
import { scoreDeck } from './decks.ts';

const LARGEST_DISTANCE = Math.hypot(255, 255, 255);

/** The rule `original_rgb` is the colour before the task; a slide that still has it counts nothing. */
export const backgroundNearness: Metric = (result, expected) => {
  const rules = rulesOf(expected);
  const wanted = colourRule(rules['rgb'], 'rgb');
  const original =
    rules['original_rgb'] == null ? undefined : colourRule(rules['original_rgb'], 'original_rgb');
  return scoreDeck(result, deck => {
    const slides = slidesOf(deck);
    if (slides.length === 0) return 0;
    const distances = slides.map(slide => distanceOf(backgroundColour(deck, slide), wanted, original));
    return 1 - distances.reduce((sum, each) => sum + each, 0) / slides.length;
  });
};

const distanceOf = (colour: Rgb | undefined, wanted: Rgb, original: Rgb | undefined): number =>
  colour === undefined || (original !== undefined && sameRgb(colour, original))
    ? 1
    : Math.hypot(...colour.map((value, index) => value - (wanted[index] ?? 0))) / LARGEST_DISTANCE;

/** Undefined for everything that has no RGB colour, also for a wrong one. */
function backgroundColour(deck: Deck, slide: XmlPart): Rgb | undefined {
  const fill = backgroundOf(deck, slide);
  try {
    return fill && rgbOf(fill.element);
  } catch (error) {
    if (error instanceof PresentationError) return undefined;
    throw error;
  }
}

function colourRule(value: unknown, name: string): Rgb {
  const [red, green, blue, ...rest]: readonly unknown[] = Array.isArray(value) ? value : [];
  if (typeof red === 'number' && typeof green === 'number' && typeof blue === 'number' && rest.length === 0)
    return [red, green, blue];
  throw new MetricError(
    `evaluate_presentation_fill_to_rgb_distance has the rule ${name} ${JSON.stringify(value)}. Use a list of three numbers.`,
  );
}
