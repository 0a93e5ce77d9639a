// Cases of compare_pptx_files: changed presentations with the options that ignore the changes or not, and the rules that OSWorld made
// for one task each.

import type { Random } from '../../../core/rng.ts';
import type { CaseMaker, MetricCase } from '../metric-case.ts';
import { HARMFUL, HARMLESS } from './slides-changes.ts';
import {
  type DeckModel,
  type DeckParagraph,
  oneIn,
  pick,
  randomBox,
  randomDeck,
  type Shape,
  type TextShape,
} from './slides-deck.ts';
import type { DeckChange } from './slides-targets.ts';
import { deckFile, deckFiles } from './slides-writer.ts';
import { zipOf } from './zip.ts';

type Flags = Record<string, unknown>;

export const compareCase: CaseMaker = random => {
  if (oneIn(random, 4)) return ruleCase(random);
  return oneIn(random, 12) ? damagedCase(random) : changedCase(random);
};

function changedCase(random: Random): MetricCase {
  const expected = randomDeck(random);
  const result = structuredClone(expected);
  const changes: DeckChange[] = [
    pick(random, HARMLESS),
    ...(oneIn(random, 3) ? [] : [pick(random, HARMFUL)]),
  ];
  const options: Flags = {};
  for (const { option, apply } of changes) {
    apply(random, result);
    if (option !== undefined && !oneIn(random, 4))
      options[`examine_${option}`] = pick(random, [false, false, 0, null]);
    // The text is part of the bullets too.
    if (option === 'text' || option === 'indent') options['examine_bullets'] = false;
  }
  if (oneIn(random, 8)) options['approximately_tolerance'] = pick(random, [0, 0.05, 1]);
  if (oneIn(random, 8)) options['enable_debug'] = false;
  if (oneIn(random, 8)) options[pick(random, ['examine_shape', 'examine_text', 'examine_nothing'])] = false;
  return {
    result: deckFile('result.pptx', result),
    expected: deckFile('gold.pptx', expected),
    ...((Object.keys(options).length > 0 || oneIn(random, 2)) && { options }),
  };
}

/**
 * Missing and damaged results, and presentations that OSWorld cannot compare even with themselves.
 * Where the result is missing, OSWorld opens a presentation without slides, which equals all others when
 * examine_number_of_slides is off. Ours scores 0.
 */
function damagedCase(random: Random): MetricCase {
  const deck = randomDeck(random);
  const expected = deckFile('gold.pptx', deck);
  const { bytes } = expected;
  const files = deckFiles(deck);
  const broken = { ...files, 'ppt/slides/slide1.xml': '<p:sld' };
  const { 'ppt/slides/slide1.xml': _slide, ...incomplete } = files;
  const result = pick<() => unknown>(random, [
    () => null,
    () => bytes.subarray(0, bytes.length >> 1),
    () => new Uint8Array(),
    () => zipOf(broken),
    () => zipOf(incomplete),
    () => new TextEncoder().encode('no presentation'),
    () => {
      deck.slides.forEach(slide => {
        slide.background = 'theme colour';
      });
      return undefined;
    },
    () => {
      deck.slides.forEach(slide => {
        slide.shapes.push({ kind: 'bare', box: randomBox(random), paragraphs: [] });
      });
      return undefined;
    },
  ])();
  if (result === undefined)
    return { result: deckFile('result.pptx', deck), expected: deckFile('gold.pptx', deck) };
  return { result: result instanceof Uint8Array ? { name: 'result.pptx', bytes: result } : null, expected };
}

const said = (text: string): DeckParagraph => ({ hasProperties: true, parts: [{ kind: 'run', text }] });

const textBox = (random: Random, text: string): TextShape => ({
  kind: 'text box',
  box: randomBox(random),
  paragraphs: [said(text)],
});

interface Rule {
  readonly options: Flags;
  readonly shape: (random: Random) => Shape;
  /** Moves the shape where the task wants it. */
  readonly move: (box: { left: number; top: number; width: number; height: number }) => void;
  readonly slide: number;
}

const RULES: readonly Rule[] = [
  {
    options: { examine_shape: false, examine_title_bottom_position: true },
    shape: random => textBox(random, 'Product Comparison'),
    move: box => {
      box.top += 3_000_000;
    },
    slide: 0,
  },
  {
    options: { examine_shape: false, examine_table_bottom_position: true },
    shape: random => ({ kind: 'table', box: randomBox(random), rows: [[said('a'), said('b')]] }),
    move: box => {
      box.top += 3_000_000;
    },
    slide: 2,
  },
  {
    options: { examine_shape: false, examine_right_position: true },
    shape: random => ({ kind: 'picture', box: randomBox(random), image: 0 }),
    move: box => {
      box.left += 3_500_000;
    },
    slide: 1,
  },
  {
    options: { examine_shape: false, examine_top_position: true },
    shape: random => ({ kind: 'picture', box: randomBox(random), image: 1 }),
    move: box => {
      box.top = box.top >> 1;
    },
    slide: 1,
  },
  {
    options: { examine_shape: false, examine_shape_for_shift_size: true },
    shape: random => textBox(random, 'Elaborate on what you want to discuss.'),
    move: box => {
      box.width *= 2;
    },
    slide: 0,
  },
  {
    options: { examine_shape: false, examine_image_size: true },
    shape: random => ({ kind: 'picture', box: randomBox(random), image: 0 }),
    move: box => {
      box.left += 1_000_000;
    },
    slide: 0,
  },
  {
    options: { examine_shape: false, examine_modify_height: true },
    shape: random => ({ ...textBox(random, 'shape'), kind: 'freeform' }),
    move: box => {
      box.left += 1_000_000;
    },
    slide: 0,
  },
];

/** One shape is moved as the task wants it, or in another way. */
function ruleCase(random: Random): MetricCase {
  const rule = pick(random, RULES);
  const expected = randomDeck(random, 3);
  expected.slides = expected.slides.map((slide, index) =>
    index === rule.slide
      ? { ...slide, shapes: [slide.shapes[0] ?? rule.shape(random), rule.shape(random)] }
      : slide,
  );
  const result = structuredClone(expected);
  const moved = oneIn(random, 4) ? pick(random, RULES).move : rule.move;
  moveShape(result, rule.slide, moved);
  const options: Flags = { ...rule.options };
  if (oneIn(random, 6)) options['examine_shape'] = true;
  if (oneIn(random, 6)) Object.assign(options, pick(random, RULES).options);
  return { result: deckFile('result.pptx', result), expected: deckFile('gold.pptx', expected), options };
}

function moveShape(deck: DeckModel, slide: number, move: Rule['move']): void {
  const shape = deck.slides[slide]?.shapes[1];
  if (shape !== undefined && 'box' in shape && shape.box !== undefined) move(shape.box);
}
