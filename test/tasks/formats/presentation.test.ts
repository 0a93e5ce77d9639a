// Presentations are read as python-pptx reads them: inherited positions, backgrounds and notes, and errors for what it rejects.

import { describe, expect, test } from 'vitest';
import {
  type DeckModel as Model,
  randomDeck,
  type Shape,
} from '../../../runtime/bench/osworld/cases/slides-deck.ts';
import { deckFile, deckFiles } from '../../../runtime/bench/osworld/cases/slides-writer.ts';
import { zipOf } from '../../../runtime/bench/osworld/cases/zip.ts';
import { at } from '../../../runtime/core/at.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import { backgroundOf, notesOf } from '../../../runtime/tasks/formats/presentation/background.ts';
import { rgbOf } from '../../../runtime/tasks/formats/presentation/colour.ts';
import { openDeck, slideSizeOf, slidesOf } from '../../../runtime/tasks/formats/presentation/deck.ts';
import { sideOf } from '../../../runtime/tasks/formats/presentation/position.ts';
import { PresentationError } from '../../../runtime/tasks/formats/presentation/presentation-error.ts';
import {
  bodyOf,
  kindOf,
  shapesOf,
  textShapesOf,
} from '../../../runtime/tasks/formats/presentation/shapes.ts';
import { bodyText, fontOf, paragraphsOf, runsOf } from '../../../runtime/tasks/formats/presentation/text.ts';

const box = { left: 10, top: 20, width: 30, height: 40 };

const model = (shapes: Shape[], other: Partial<Model> = {}): Model => ({
  width: 9_144_000,
  height: 6_858_000,
  hasNotesMaster: true,
  slides: [{ shapes }],
  ...other,
});

function open(deck: Model) {
  const opened = openDeck(deckFile('a.pptx', deck).bytes);
  const slide = at(slidesOf(opened), 0);
  return { deck: opened, slide, shapes: shapesOf(slide) };
}

const said = (text: string) => ({ hasProperties: true, parts: [{ kind: 'run' as const, text }] });

test('a placeholder takes each side that it does not define from its layout, or from the master', () => {
  const { deck, slide, shapes } = open(
    model([
      { kind: 'placeholder', type: 'obj', index: 1 },
      { kind: 'placeholder', type: 'title', index: 0 },
      { kind: 'placeholder', type: 'body', index: 9 },
      { kind: 'placeholder', type: 'obj', index: 1, box },
    ]),
  );
  const lefts = shapes.map(shape => sideOf({ deck, slide, shape }, 'left'));
  expect(lefts).toEqual([457_200, 457_200, undefined, 10]);
  expect(sideOf({ deck, slide, shape: at(shapes, 1) }, 'top')).toBe(274_638);
});

test('shapes have kinds, and a shape of no kind is an error', () => {
  const { shapes } = open(
    model([
      { kind: 'text box', box },
      { kind: 'freeform', box },
      { kind: 'picture', box, image: 0 },
      { kind: 'picture', box, image: 0, isFilm: true },
      { kind: 'table', box, rows: [[said('a')]] },
      { kind: 'line', box },
    ]),
  );
  expect(shapes.map(kindOf)).toEqual(['text box', 'freeform', 'picture', 'media', 'table', 'line']);
  const [bare] = open(model([{ kind: 'bare', box }])).shapes;
  expect(() => bare && kindOf(bare)).toThrow(PresentationError);
});

test('texts join runs, fields and line breaks, also within groups', () => {
  const paragraph = {
    hasProperties: true,
    parts: [
      { kind: 'run' as const, text: 'Grüße & <more>', font: { bold: false, underline: 'dbl', size: 1050 } },
      { kind: 'break' as const, text: '' },
      { kind: 'field' as const, text: '7' },
    ],
  };
  const { slide } = open(
    model([
      { kind: 'group', box, shapes: [{ kind: 'text box', box, paragraphs: [paragraph, said('end')] }] },
    ]),
  );
  const [shape] = textShapesOf(slide);
  const body = shape && bodyOf(shape);
  expect(bodyText(body)).toBe('Grüße & <more>\v7\nend');
  const font = fontOf(at(runsOf(at(paragraphsOf(body), 0)), 0));
  expect(font).toMatchObject({
    bold: false,
    underline: 'dbl',
    size: 1050,
    italic: undefined,
    colour: undefined,
  });
});

test('a slide without a fill has that of its master, and notes are empty without a part for them', () => {
  const { deck, slide } = open(model([], { masterBackground: '00FF7f' }));
  const fill = backgroundOf(deck, slide);
  expect(fill && rgbOf(fill.element)).toEqual([0, 255, 127]);
  expect(notesOf(deck, slide)).toBe('');
  const noted = open(model([], { slides: [{ shapes: [], notes: 'Say hello', background: 'gradient' }] }));
  expect(notesOf(noted.deck, noted.slide)).toBe('Say hello');
  expect(backgroundOf(noted.deck, noted.slide)).toBeUndefined();
});

describe('a presentation that cannot be opened', () => {
  const files = deckFiles(model([]));
  const { '[Content_Types].xml': _types, ...untyped } = files;
  test.each<[string, Uint8Array]>([
    ['is no archive', new TextEncoder().encode('text')],
    ['is empty', new Uint8Array()],
    ['has a damaged part', zipOf({ ...files, 'ppt/slideMasters/slideMaster1.xml': '<p:sldMaster' })],
    ['has no content types', zipOf(untyped)],
    ['is no presentation', zipOf({ 'word/document.xml': '<a/>' })],
  ])('%s', (_reason, bytes) => {
    expect(() => openDeck(bytes)).toThrow(PresentationError);
  });
});

test('every random presentation can be read', () => {
  for (let seed = 0; seed < 20; seed++) {
    const deck = randomDeck(seeded(seed));
    const { deck: opened, slide, shapes } = open(deck);
    expect(slidesOf(opened)).toHaveLength(deck.slides.length);
    expect(shapes).toHaveLength(deck.slides[0]?.shapes.length ?? 0);
    expect(slideSizeOf(opened)?.width).toBe(deck.width);
    for (const shape of shapes) expect(sideOf({ deck: opened, slide, shape }, 'top')).not.toBeNaN();
  }
});
