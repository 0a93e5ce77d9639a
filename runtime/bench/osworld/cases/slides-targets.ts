// Picks the slides, shapes, paragraphs and runs that the changes of slides-changes.ts change.

import type { Random } from '../../../core/rng.ts';
import {
  allShapes,
  type DeckBox,
  type DeckModel,
  type DeckParagraph,
  type DeckPart,
  isTextShape,
  pick,
  type Slide,
} from './slides-deck.ts';

export interface DeckChange {
  /** The option that ignores the change, without `examine_`. */
  readonly option?: string;
  /** Changes a deck in place. It may find nothing to change. */
  readonly apply: (random: Random, deck: DeckModel) => void;
}

export const paragraphsOf = ({ slides }: DeckModel): readonly DeckParagraph[] =>
  slides.flatMap(({ shapes }) =>
    allShapes(shapes).flatMap(shape =>
      isTextShape(shape) ? (shape.paragraphs ?? []) : shape.kind === 'table' ? shape.rows.flat() : [],
    ),
  );

const boxesOf = ({ slides }: DeckModel): readonly DeckBox[] =>
  slides.flatMap(({ shapes }) =>
    shapes.flatMap(shape => ('box' in shape && shape.box !== undefined ? [shape.box] : [])),
  );

export const runsOf = (deck: DeckModel): readonly DeckPart[] =>
  paragraphsOf(deck).flatMap(({ parts }) => parts.filter(({ kind }) => kind === 'run'));

export const forOne = <T>(random: Random, items: readonly T[], change: (item: T) => void): void => {
  if (items.length > 0) change(pick(random, items));
};

export const forSlide =
  (change: (random: Random, slide: Slide) => void): DeckChange['apply'] =>
  (random, deck) =>
    forOne(random, deck.slides, slide => change(random, slide));

export const forBox =
  (change: (random: Random, box: DeckBox) => void): DeckChange['apply'] =>
  (random, deck) =>
    forOne(random, boxesOf(deck), box => change(random, box));

export const forParagraph =
  (change: (random: Random, paragraph: DeckParagraph) => void): DeckChange['apply'] =>
  (random, deck) =>
    forOne(random, paragraphsOf(deck), paragraph => change(random, paragraph));

export const forRun =
  (change: (random: Random, run: DeckPart) => void): DeckChange['apply'] =>
  (random, deck) =>
    forOne(random, runsOf(deck), run => change(random, run));

export const forFont = (change: (random: Random) => DeckPart['font']): DeckChange['apply'] =>
  forRun((random, run) => {
    run.font = { ...run.font, ...change(random) };
  });
