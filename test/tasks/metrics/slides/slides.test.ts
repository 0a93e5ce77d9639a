// The smaller metrics of presentations and of LibreOffice's settings.

import { expect, test } from 'vitest';
import type { DeckModel, Shape } from '../../../../runtime/bench/osworld/cases/slides-deck.ts';
import { deckFile } from '../../../../runtime/bench/osworld/cases/slides-writer.ts';
import { textFile } from '../../../../runtime/bench/osworld/cases/words.ts';
import { type Metric, MetricError } from '../../../../runtime/tasks/metrics/metric.ts';
import { SLIDE_METRICS } from '../../../../runtime/tasks/metrics/slides/slides.ts';

const metrics: Readonly<Record<keyof typeof SLIDE_METRICS, Metric>> = SLIDE_METRICS;

const box = { left: 0, top: 0, width: 1_000_000, height: 1_000_000 };

const deckOf = (shapes: Shape[], other: Partial<DeckModel> = {}): DeckModel => ({
  width: 9_144_000,
  height: 6_858_000,
  hasNotesMaster: true,
  slides: [{ shapes }],
  ...other,
});

const score = (name: keyof typeof SLIDE_METRICS, deck: DeckModel, expected?: unknown) =>
  metrics[name](deckFile('a.pptx', deck), expected, {});

test.each(Object.keys(SLIDE_METRICS))('%s never passes a missing result', name => {
  const expected = { rgb: [0, 0, 0], slide_index_s: [0], shape_index_s: [0], paragraph_index_s: [0] };
  const rules = { ...expected, slide_idx: 0, transition_type: 'fade', color: 'red', minutes: 3 };
  const original = deckFile('original.pptx', deckOf([{ kind: 'picture', box, image: 0 }]));
  const isComparison = name === 'compare_pptx_files' || name === 'check_image_stretch_and_center';
  expect(metrics[name as keyof typeof SLIDE_METRICS](null, isComparison ? original : rules, {})).toBe(0);
});

test('the nearness of backgrounds is their mean, and the original colour counts nothing', () => {
  const deck = deckOf([], {
    slides: [
      { shapes: [], background: '0000FF' },
      { shapes: [], background: 'FF0000' },
    ],
  });
  const name = 'evaluate_presentation_fill_to_rgb_distance';
  expect(score(name, deck, { rgb: [0, 0, 255], original_rgb: [255, 0, 0] })).toBe(0.5);
  expect(score(name, deck, { rgb: [0, 0, 255] })).toBeCloseTo(1 - Math.SQRT2 / Math.sqrt(3) / 2);
  expect(score(name, deckOf([]), { rgb: [0, 0, 255] })).toBe(0);
  expect(() => score(name, deck, { rgb: 'blue' })).toThrow(MetricError);
});

test('every named paragraph has a run with the attribute strike', () => {
  const struck = {
    hasProperties: true,
    parts: [{ kind: 'run' as const, text: 'a', font: { strike: 'sngStrike' } }],
  };
  const open = { hasProperties: true, parts: [{ kind: 'run' as const, text: 'a' }] };
  const deck = deckOf([{ kind: 'text box', box, paragraphs: [struck, open] }]);
  const rules = (paragraphs: number[]) => ({
    slide_index_s: [0],
    shape_index_s: [-1],
    paragraph_index_s: paragraphs,
  });
  expect(score('check_strikethrough', deck, rules([0]))).toBe(1);
  expect(score('check_strikethrough', deck, rules([0, 1]))).toBe(0);
  expect(score('check_strikethrough', deck, rules([5]))).toBe(0);
});

test('a portrait is higher than wide', () => {
  expect(score('check_slide_orientation_Portrait', deckOf([]))).toBe(0);
  expect(score('check_slide_orientation_Portrait', deckOf([], { width: 5_000_000 }))).toBe(1);
});

test('a transition is found by the number of the slide file and its type', () => {
  const slides = [
    { shapes: [] },
    { shapes: [], transition: '<p:transition spd="slow"><p:fade/></p:transition>' },
  ];
  const check = (index: number, type: string) =>
    score('check_transition', deckOf([], { slides }), { slide_idx: index, transition_type: type });
  expect([check(1, 'fade'), check(1, 'push'), check(0, 'fade'), check(7, 'fade')]).toEqual([1, 0, 0, 0]);
});

test('page numbers have the colour of the master', () => {
  const number = (defaultColour: string) => ({ text: '<number>', colour: '000000', defaultColour });
  const page: Shape = {
    kind: 'placeholder',
    type: 'sldNum',
    index: 3,
    paragraphs: [{ hasProperties: true, parts: [{ kind: 'field', text: '3' }] }],
  };
  const red = deckOf([page], { number: number('FF0000') });
  expect(score('check_slide_numbers_color', red)).toBe(1);
  expect(score('check_slide_numbers_color', deckOf([page], { number: number('0000FF') }))).toBe(0);
  expect(score('check_slide_numbers_color', deckOf([], { number: number('FF0000') }))).toBe(0);
  expect(score('check_page_number_colors', red, { color: 'red' })).toBe(1);
  expect(score('check_page_number_colors', red, { color: 'green' })).toBe(0);
});

test('the picture of the original fills the slide', () => {
  const withPicture = (image: number, width: number) =>
    deckOf([{ kind: 'picture', box: { left: 0, top: 100_000, width, height: 6_700_000 }, image }]);
  const original = deckFile('original.pptx', deckOf([{ kind: 'picture', box, image: 1 }]));
  const check = (deck: DeckModel) => score('check_image_stretch_and_center', deck, original);
  expect(check(withPicture(1, 9_000_000))).toBe(1);
  expect(check(withPicture(1, 8_000_000))).toBe(0);
  expect(check(withPicture(0, 9_000_000))).toBe(0);
});

const settings = (path: string, name: string, value: string) =>
  textFile(
    'registrymodifications.xcu',
    `<oor:items xmlns:oor="http://openoffice.org/2001/registry"><item oor:path="${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item></oor:items>`,
  );

test('settings of LibreOffice', () => {
  const start = '/org.openoffice.Office.Impress/Misc/Start';
  const screen = (value: string) =>
    metrics.check_presenter_console_disable(settings(start, 'EnablePresenterScreen', value), undefined, {});
  expect([screen('false'), screen('False'), screen('true')]).toEqual([1, 1, 0]);
  const saving = (value: string, minutes: unknown) =>
    metrics.check_auto_saving_time(
      settings('/org.openoffice.Office.Common/Save/Document', 'AutoSaveTimeIntervall', value),
      { minutes },
      {},
    );
  expect([saving('3', 3), saving('10', 3), saving('soon', 3)]).toEqual([1, 0, 0]);
  expect(() => saving('3', undefined)).toThrow(MetricError);
});

test('the panel of slides is a document frame at any depth', () => {
  const tree = (name: string) => `<desktop><app><document-frame name="${name}"/></app></desktop>`;
  expect(metrics.check_left_panel(tree('Slides View'), undefined, {})).toBe(1);
  expect(metrics.check_left_panel(tree('Notes View'), undefined, {})).toBe(0);
  expect(metrics.check_left_panel('<desktop', undefined, {})).toBe(0);
});
