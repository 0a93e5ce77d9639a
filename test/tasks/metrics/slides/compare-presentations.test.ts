// compare_pptx_files: which differences of two presentations matter, and which options ignore them.

import { describe, expect, test } from 'vitest';
import {
  type DeckFont,
  type DeckModel,
  type DeckParagraph,
  randomDeck,
  type Shape,
} from '../../../../runtime/bench/osworld/cases/slides-deck.ts';
import { deckFile } from '../../../../runtime/bench/osworld/cases/slides-writer.ts';
import { seeded } from '../../../../runtime/core/rng.ts';
import { MetricError } from '../../../../runtime/tasks/metrics/metric.ts';
import { comparePresentations } from '../../../../runtime/tasks/metrics/slides/compare-presentations.ts';

const box = { left: 1_000_000, top: 1_000_000, width: 2_000_000, height: 1_000_000 };

const paragraph = (other: Partial<DeckParagraph> = {}, font: DeckFont = {}): DeckParagraph => ({
  hasProperties: true,
  parts: [{ kind: 'run', text: 'Hello', font }],
  ...other,
});

const textBox = (...paragraphs: DeckParagraph[]): Shape => ({ kind: 'text box', box, paragraphs });

const deckOf = (...shapes: Shape[]): DeckModel => ({
  width: 9_144_000,
  height: 6_858_000,
  hasNotesMaster: true,
  slides: [{ shapes }],
});

const compare = (result: DeckModel | null, expected: DeckModel, options: Record<string, unknown> = {}) =>
  comparePresentations(result && deckFile('a.pptx', result), deckFile('b.pptx', expected), options);

const compareFonts = (found: DeckFont, wanted: DeckFont, options: Record<string, unknown> = {}) =>
  compare(deckOf(textBox(paragraph({}, found))), deckOf(textBox(paragraph({}, wanted))), options);

const compareParagraphs = (
  found: DeckParagraph,
  wanted: DeckParagraph,
  options: Record<string, unknown> = {},
) => compare(deckOf(textBox(found)), deckOf(textBox(wanted)), options);

test('a presentation equals itself, and differs from one with another number of shapes', () => {
  for (let seed = 0; seed < 10; seed++) {
    const deck = randomDeck(seeded(seed));
    expect(compare(deck, deck)).toBe(1);
    const more = structuredClone(deck);
    more.slides[0]?.shapes.push({ kind: 'line', box });
    expect(compare(more, deck)).toBe(0);
  }
});

test('a missing or damaged result scores 0, and a damaged expected file is an error', () => {
  const deck = deckOf(textBox(paragraph()));
  expect(compare(null, deck)).toBe(0);
  const damaged = { name: 'a.pptx', bytes: Uint8Array.of(1, 2, 3) };
  expect(comparePresentations(damaged, deckFile('b.pptx', deck), {})).toBe(0);
  expect(() => comparePresentations(deckFile('a.pptx', deck), damaged, {})).toThrow(MetricError);
  const themed = { ...deck, slides: [{ shapes: [], background: 'theme colour' as const }] };
  expect(() => compare(deck, themed)).toThrow(MetricError);
  expect(compare(themed, deck)).toBe(0);
});

describe('fonts', () => {
  test.each<[keyof DeckFont, DeckFont[keyof DeckFont], string]>([
    ['name', 'Carlito', 'examine_font_name'],
    ['size', 1400, 'examine_font_size'],
    ['bold', true, 'examine_font_bold'],
    ['italic', true, 'examine_font_italic'],
    ['underline', 'sng', 'examine_font_underline'],
    ['strike', 'sngStrike', 'examine_strike_through'],
  ])('a different %s matters unless its option is off', (name, value, option) => {
    expect(compareFonts({ [name]: value }, {})).toBe(0);
    expect(compareFonts({ [name]: value }, {}, { [option]: false })).toBe(1);
  });

  test('what is off equals what is open', () => {
    expect(compareFonts({ bold: false, italic: false, underline: 'none', strike: 'noStrike' }, {})).toBe(1);
    expect(compareFonts({ underline: 'dbl' }, {})).toBe(1);
    expect(compareFonts({ underline: 'dbl' }, { underline: 'none' })).toBe(0);
  });

  test('only two RGB colours can differ', () => {
    expect(compareFonts({ colour: 'FF0000' }, { colour: '0000FF' })).toBe(0);
    expect(compareFonts({ colour: 'ff0000' }, { colour: 'FF0000' })).toBe(1);
    expect(compareFonts({ colour: 'FF0000' }, { colour: 'theme' })).toBe(1);
    expect(compareFonts({ colour: 'FF0000' }, {})).toBe(1);
  });
});

describe('paragraphs', () => {
  test('left alignment is the default', () => {
    expect(compareParagraphs(paragraph({ alignment: 'l' }), paragraph())).toBe(1);
    expect(compareParagraphs(paragraph({ alignment: 'ctr' }), paragraph())).toBe(0);
    expect(
      compareParagraphs(paragraph({ alignment: 'ctr' }), paragraph(), { examine_alignment: false }),
    ).toBe(1);
  });

  test('bullets differ by their characters and levels, not by their colours', () => {
    const bullet = (character: string, colour: string) => paragraph({ bullet: { character, colour } });
    expect(compareParagraphs(bullet('•', 'FF0000'), bullet('•', '00FF00'))).toBe(1);
    expect(compareParagraphs(bullet('•', 'FF0000'), bullet('–', 'FF0000'))).toBe(0);
    expect(compareParagraphs(bullet('•', 'FF0000'), paragraph(), { examine_bullets: false })).toBe(1);
  });

  test('a text in more runs is different unless its option is off, also in a table', () => {
    const split = (first: DeckFont = {}) =>
      paragraph({
        parts: [
          { kind: 'run', text: 'Hel', font: first },
          { kind: 'run', text: 'lo', font: {} },
        ],
      });
    const off = { examine_run_count: false };
    expect(compareParagraphs(split(), paragraph())).toBe(0);
    expect(compareParagraphs(split(), paragraph(), off)).toBe(1);
    expect(compareParagraphs(split({ bold: true }), paragraph(), off)).toBe(0);
    const table = (each: DeckParagraph) => deckOf({ kind: 'table', box, rows: [[each]] });
    expect(compare(table(split()), table(paragraph()))).toBe(0);
    expect(compare(table(split()), table(paragraph()), off)).toBe(1);
  });

  test('properties without content matter only in paragraphs that come later', () => {
    const bare = paragraph({ hasProperties: false });
    expect(compareParagraphs(bare, paragraph())).toBe(1);
    expect(compare(deckOf(textBox(bare, bare)), deckOf(textBox(bare, paragraph())))).toBe(0);
  });

  test('groups and tables are compared by alignment and fonts', () => {
    const group = (each: DeckParagraph) => deckOf({ kind: 'group', box, shapes: [textBox(each)] });
    expect(compare(group(paragraph({ alignment: 'r' })), group(paragraph()))).toBe(0);
    expect(compare(group(paragraph({}, { bold: true })), group(paragraph()))).toBe(1);
    const table = (font: DeckFont, text = 'Hello') =>
      deckOf({ kind: 'table', box, rows: [[{ hasProperties: true, parts: [{ kind: 'run', text, font }] }]] });
    expect(compare(table({ bold: true }), table({}))).toBe(0);
    expect(compare(table({}, 'Other'), table({}))).toBe(1);
  });
});

describe('positions', () => {
  const moved = (change: Partial<typeof box>, text = 'Hello') =>
    deckOf({
      kind: 'text box',
      box: { ...box, ...change },
      paragraphs: [paragraph({ parts: [{ kind: 'run', text }] })],
    });

  test('may differ by half a percent, or by the tolerance of the task', () => {
    expect(compare(moved({ left: 1_004_000 }), moved({}))).toBe(1);
    expect(compare(moved({ left: 1_006_000 }), moved({}))).toBe(0);
    expect(compare(moved({ left: 1_040_000 }), moved({}), { approximately_tolerance: 0.05 })).toBe(1);
    expect(compare(moved({ left: 2_000_000 }), moved({}), { examine_shape: false })).toBe(1);
  });

  test('a title moves below the line, and below its old place', () => {
    const options = { examine_shape: false, examine_title_bottom_position: true };
    const title = (top: number) => moved({ top }, 'Product Comparison');
    expect(compare(title(3_700_000), title(1_000_000), options)).toBe(1);
    expect(compare(title(3_500_000), title(1_000_000), options)).toBe(0);
    expect(compare(title(3_700_000), title(3_800_000), options)).toBe(0);
  });

  test('only the height of a freeform matters when heights are modified', () => {
    const options = { examine_shape: false, examine_modify_height: true };
    const freeform = (change: Partial<typeof box>) =>
      deckOf({ kind: 'freeform', box: { ...box, ...change } });
    expect(compare(freeform({ left: 5 }), freeform({}), options)).toBe(1);
    expect(compare(freeform({ height: 5 }), freeform({}), options)).toBe(0);
    expect(compare(moved({ left: 5 }), moved({}), options)).toBe(0);
  });
});
