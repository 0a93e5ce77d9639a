// Random presentations for the cases of slide metrics, as plain values. slides-writer.ts writes them.

import { at } from '../../../core/at.ts';
import type { Random } from '../../../core/rng.ts';
import { word, words } from './words.ts';

export interface DeckModel {
  width: number;
  height: number;
  /** Undefined: the master refers to its theme. */
  masterBackground?: Background;
  /** The page number of the master. */
  number?: { text: string; colour?: string; defaultColour?: string };
  hasNotesMaster: boolean;
  slides: Slide[];
}

/** A colour as FF8800, one of the theme, a gradient, no fill, or the style of the theme. */
export type Background = string | 'theme colour' | 'gradient' | 'none' | 'style';

export interface Slide {
  background?: Background;
  notes?: string;
  transition?: string;
  shapes: Shape[];
}

export interface DeckBox {
  left: number;
  top: number;
  width: number;
  height: number;
}

export type Shape = TextShape | DeckPicture | DeckTable | Group | DeckLine | DeckFrame;

export interface TextShape {
  kind: 'placeholder' | 'text box' | 'auto shape' | 'freeform' | 'bare';
  /** The type and index of a placeholder. */
  type?: 'title' | 'body' | 'obj' | 'sldNum' | 'subTitle';
  index?: number;
  /** Undefined: inherited from the layout. */
  box?: DeckBox;
  /** Undefined: no text body. */
  paragraphs?: DeckParagraph[];
}

export interface DeckPicture {
  kind: 'picture';
  box: DeckBox;
  /** The number of the file in the package. */
  image: number;
  isFilm?: boolean;
}

export interface DeckTable {
  kind: 'table';
  box: DeckBox;
  rows: DeckParagraph[][];
}

export interface Group {
  kind: 'group';
  box: DeckBox;
  shapes: Shape[];
}

export interface DeckLine {
  kind: 'line';
  box: DeckBox;
}

export interface DeckFrame {
  kind: 'frame';
  box: DeckBox;
}

export interface DeckParagraph {
  /** False: the paragraph has no element for its properties. */
  hasProperties: boolean;
  alignment?: string;
  level?: number;
  bullet?: { character: string; colour?: string };
  parts: DeckPart[];
}

export interface DeckPart {
  kind: 'run' | 'break' | 'field';
  text: string;
  font?: DeckFont;
}

export interface DeckFont {
  name?: string;
  size?: number;
  bold?: boolean;
  italic?: boolean;
  underline?: string;
  strike?: string;
  /** FF8800, or `theme`. */
  colour?: string;
}

export const pick = <T>(random: Random, items: readonly T[]): T => at(items, random.int(items.length));

export const oneIn = (random: Random, count: number): boolean => random.int(count) === 0;

export const COLOURS: readonly string[] = [
  'FF0000',
  '00FF00',
  '0000FF',
  'FFFF00',
  '1F497D',
  '000000',
  'c9211e',
];

const emu = (random: Random, from: number, to: number): number => from + random.int(to - from);

export const randomBox = (random: Random): DeckBox => ({
  left: oneIn(random, 12) ? 0 : emu(random, 100_000, 6_000_000),
  top: emu(random, 100_000, 4_500_000),
  width: emu(random, 200_000, 4_000_000),
  height: emu(random, 200_000, 2_000_000),
});

export function randomFont(random: Random): DeckFont {
  return {
    ...(oneIn(random, 2) && { name: pick(random, ['Liberation Sans', 'Calibri', 'Noto Serif CJK']) }),
    ...(oneIn(random, 2) && { size: pick(random, [1800, 2400, 3200, 1050]) }),
    ...(oneIn(random, 2) && { bold: oneIn(random, 2) }),
    ...(oneIn(random, 3) && { italic: oneIn(random, 2) }),
    ...(oneIn(random, 3) && { underline: pick(random, ['sng', 'none', 'dbl', 'wavy', 'words']) }),
    ...(oneIn(random, 3) && { strike: pick(random, ['noStrike', 'sngStrike']) }),
    ...(oneIn(random, 2) && { colour: oneIn(random, 5) ? 'theme' : pick(random, COLOURS) }),
  };
}

export function randomParagraph(random: Random): DeckParagraph {
  const parts = Array.from({ length: random.int(3) + (oneIn(random, 12) ? 0 : 1) }, (): DeckPart => {
    const kind = oneIn(random, 10) ? pick(random, ['break', 'field'] as const) : 'run';
    const text = kind === 'field' ? '3' : words(random, 1 + random.int(3)).join(' ');
    return { kind, text, ...(oneIn(random, 5) ? {} : { font: randomFont(random) }) };
  });
  return {
    hasProperties: !oneIn(random, 8),
    ...(oneIn(random, 2) && { alignment: pick(random, ['l', 'ctr', 'r', 'just']) }),
    ...(oneIn(random, 3) && { level: random.int(3) }),
    ...(oneIn(random, 3) && {
      bullet: {
        character: pick(random, ['•', '–', '\uf0a7']),
        ...(oneIn(random, 2) && { colour: pick(random, COLOURS) }),
      },
    }),
    parts,
  };
}

const randomParagraphs = (random: Random): DeckParagraph[] =>
  Array.from({ length: 1 + random.int(3) }, () => randomParagraph(random));

const boxed = (random: Random, kind: 'text box' | 'auto shape' | 'freeform'): TextShape => ({
  kind,
  box: randomBox(random),
  paragraphs: randomParagraphs(random),
});

const SHAPES: readonly ((random: Random) => Shape)[] = [
  random => boxed(random, 'text box'),
  random => boxed(random, 'auto shape'),
  random => boxed(random, 'freeform'),
  random => ({ kind: 'auto shape', box: randomBox(random) }),
  random => ({ kind: 'picture', box: randomBox(random), image: random.int(2), isFilm: oneIn(random, 8) }),
  random => ({
    kind: 'table',
    box: randomBox(random),
    rows: Array.from({ length: 1 + random.int(2) }, () => [randomParagraph(random), randomParagraph(random)]),
  }),
  random => ({
    kind: 'group',
    box: randomBox(random),
    shapes: [boxed(random, 'text box'), { kind: 'picture', box: randomBox(random), image: 0 }],
  }),
  random => ({ kind: 'line', box: randomBox(random) }),
  random => ({ kind: 'frame', box: randomBox(random) }),
];

export const randomShape = (random: Random): Shape => pick(random, SHAPES)(random);

export function randomSlide(random: Random): Slide {
  const title: TextShape = {
    kind: 'placeholder',
    type: 'title',
    index: 0,
    ...(oneIn(random, 2) && { box: randomBox(random) }),
    paragraphs: [randomParagraph(random)],
  };
  const content: TextShape = {
    kind: 'placeholder',
    type: pick(random, ['body', 'obj', 'subTitle'] as const),
    index: pick(random, [1, 1, 1, 7]),
    ...(oneIn(random, 2) && { box: randomBox(random) }),
    paragraphs: randomParagraphs(random),
  };
  const others = Array.from({ length: random.int(3) }, () => randomShape(random));
  return {
    ...(oneIn(random, 2) && { background: pick(random, [...COLOURS, 'gradient', 'none', 'style'] as const) }),
    ...(oneIn(random, 2) && { notes: words(random, random.int(5)).join(' ') }),
    shapes: [title, ...(oneIn(random, 4) ? [] : [content]), ...others],
  };
}

export function randomDeck(random: Random, slideCount = 1 + random.int(3)): DeckModel {
  return {
    width: pick(random, [9_144_000, 10_080_625, 12_192_000]),
    height: 6_858_000,
    ...(oneIn(random, 3) && { masterBackground: pick(random, [...COLOURS, 'style'] as const) }),
    hasNotesMaster: !oneIn(random, 4),
    slides: Array.from({ length: slideCount }, () => randomSlide(random)),
  };
}

export const randomText = (random: Random): string => `${word(random)} ${word(random)}`;

/** The shapes of a slide, also those in groups. */
export const allShapes = (shapes: readonly Shape[]): readonly Shape[] =>
  shapes.flatMap(shape => (shape.kind === 'group' ? [shape, ...allShapes(shape.shapes)] : [shape]));

export const isTextShape = (shape: Shape): shape is TextShape =>
  shape.kind === 'placeholder' ||
  shape.kind === 'text box' ||
  shape.kind === 'auto shape' ||
  shape.kind === 'freeform' ||
  shape.kind === 'bare';
