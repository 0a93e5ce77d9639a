// Cases of the metrics in `tasks/metrics/slides`.

import type { Random } from '../../../core/rng.ts';
import type { CaseMakers } from '../metric-case.ts';
import { compareCase } from './slides-compare.ts';
import {
  type Background,
  COLOURS,
  type DeckModel,
  isTextShape,
  oneIn,
  pick,
  randomBox,
  randomDeck,
  randomParagraph,
} from './slides-deck.ts';
import { SETTINGS_CASES } from './slides-settings.ts';
import { deckFile } from './slides-writer.ts';
import { textFile } from './words.ts';

/** The file of a presentation; seldom null or damaged. */
function resultOf(random: Random, deck: DeckModel): unknown {
  const file = deckFile('result.pptx', deck);
  if (oneIn(random, 25)) return null;
  if (oneIn(random, 25)) return textFile('result.pptx', 'no presentation');
  return oneIn(random, 25) ? { ...file, bytes: file.bytes.subarray(0, file.bytes.length - 30) } : file;
}

/** Numbers of pages as texts, most of which Python takes for digits. */
const NUMBERS = ['1', '12', '٣', '²', '½', ' 3', '1.'] as const;

const TRANSITIONS = ['dissolve', 'fade', 'push'] as const;

export const SLIDE_CASES = {
  compare_pptx_files: compareCase,

  // OSWorld opens an empty presentation where the result is missing, which passes a list without slides. Ours scores 0.
  check_strikethrough: random => {
    const deck = randomDeck(random, 2);
    const struck = !oneIn(random, 4);
    for (const shape of deck.slides.flatMap(({ shapes }) => shapes))
      if (isTextShape(shape))
        for (const { parts } of shape.paragraphs ?? [])
          for (const part of parts) {
            if (struck && !oneIn(random, 12))
              part.font = { ...part.font, strike: pick(random, ['sngStrike', 'noStrike', 'dblStrike']) };
          }
    const some = (count: number): number[] =>
      oneIn(random, 16)
        ? []
        : pick(random, [[0], [0], [0], [random.int(count)], [0, random.int(count)], [-1], [9]]);
    return {
      result: resultOf(random, deck),
      expected: { slide_index_s: some(2), shape_index_s: some(2), paragraph_index_s: some(2) },
    };
  },

  check_slide_orientation_Portrait: random => {
    const deck = randomDeck(random);
    if (!oneIn(random, 3)) [deck.width, deck.height] = [deck.height, deck.width];
    if (oneIn(random, 8)) deck.width = deck.height;
    return { result: resultOf(random, deck) };
  },

  evaluate_presentation_fill_to_rgb_distance: random => {
    const deck = randomDeck(random);
    const backgrounds: readonly Background[] = [
      ...COLOURS,
      ...COLOURS,
      'gradient',
      'none',
      'style',
      'theme colour',
    ];
    for (const slide of deck.slides) slide.background = pick(random, backgrounds);
    const rgb = (): number[] =>
      pick(random, [
        [0, 0, 255],
        [255, 0, 0],
        [31, 73, 125],
        [random.int(256), random.int(256), 0],
      ]);
    return {
      result: resultOf(random, deck),
      expected: { rgb: rgb(), ...(oneIn(random, 2) && { original_rgb: oneIn(random, 6) ? null : rgb() }) },
    };
  },

  check_transition: random => {
    const deck = randomDeck(random, 2);
    const type = pick(random, TRANSITIONS);
    for (const slide of deck.slides)
      if (!oneIn(random, 6))
        slide.transition = transition(random, oneIn(random, 5) ? pick(random, TRANSITIONS) : type);
    return {
      result: resultOf(random, deck),
      expected: { slide_idx: oneIn(random, 8) ? 5 : random.int(2), transition_type: type },
    };
  },

  check_page_number_colors: random => {
    const deck = randomDeck(random);
    const colour = pick(random, [...COLOURS, 'FF3300', '0033FF', '101010', 'theme']);
    deck.number = {
      text: '<number>',
      colour,
      defaultColour: pick(random, [...COLOURS, colour, 'FF3300', 'E00010', 'C00000', 'D62E4E']),
    };
    if (oneIn(random, 10)) delete deck.number.defaultColour;
    return {
      result: resultOf(random, deck),
      expected: { color: pick(random, ['red', 'red', 'red', 'red', 'blue', 'green', 'black', 'violet']) },
    };
  },

  check_slide_numbers_color: random => {
    const deck = randomDeck(random);
    const colour = pick(random, [
      'FF0000',
      'FF0000',
      'FF0000',
      'FF0000',
      'ff0000',
      '0000FF',
      'theme',
      'none',
    ]);
    if (!oneIn(random, 12))
      deck.number = {
        text: oneIn(random, 10) ? '‹Nr.›' : '<number>',
        colour: pick(random, COLOURS),
        ...(colour !== 'none' && { defaultColour: colour }),
      };
    const text = oneIn(random, 4) ? pick(random, NUMBERS) : '2';
    if (!oneIn(random, 10))
      pick(random, deck.slides).shapes.push({
        kind: 'placeholder',
        type: 'sldNum',
        index: 3,
        paragraphs: [{ ...randomParagraph(random), parts: [{ kind: 'field', text }] }],
      });
    return { result: resultOf(random, deck) };
  },

  check_image_stretch_and_center: random => {
    const original = randomDeck(random, 1);
    const image = random.int(2);
    const size = { width: original.width, height: original.height };
    for (const slide of original.slides)
      if (!oneIn(random, 10)) slide.shapes.unshift({ kind: 'picture', box: randomBox(random), image });
    const deck = structuredClone(original);
    const off = (range: number): number => random.int(range) - (range >> 1);
    const range = pick(random, [2, 400_000, 400_000, 1_500_000]);
    for (const shape of deck.slides[0]?.shapes ?? [])
      if (shape.kind === 'picture' && shape.image === image)
        shape.box = {
          left: off(range),
          top: off(range),
          width: size.width + off(range),
          height: size.height + off(range),
        };
    if (oneIn(random, 6))
      deck.slides[0]?.shapes.push({ kind: 'picture', box: randomBox(random), image: random.int(2) });
    return { result: resultOf(random, deck), expected: deckFile('original.pptx', original) };
  },

  ...SETTINGS_CASES,
} satisfies CaseMakers;

function transition(random: Random, type: string): string {
  const xml = `<p:transition spd="slow"><p:${type}/></p:transition>`;
  if (!oneIn(random, 3)) return xml;
  return (
    '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice Requires="p14">' +
    `<p:transition spd="slow" p14:dur="2000" xmlns:p14="http://schemas.microsoft.com/office/powerpoint/2010/main"><p:${type}/></p:transition>` +
    `</mc:Choice><mc:Fallback>${xml}</mc:Fallback></mc:AlternateContent>`
  );
}
