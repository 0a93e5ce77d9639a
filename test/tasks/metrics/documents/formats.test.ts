// Metrics of formatting, tables and pictures in documents.

import { describe, expect, test } from 'vitest';
import {
  cell,
  docx,
  hyperlink,
  pageField,
  paragraph,
  row,
  run,
  sectionProperties,
  table,
} from '../../../../runtime/bench/osworld/cases/documents-docx.ts';
import {
  odt,
  odtParagraph,
  odtSpan,
  odtStyle,
} from '../../../../runtime/bench/osworld/cases/documents-odt.ts';
import { textFile } from '../../../../runtime/bench/osworld/cases/words.ts';
import { DOCUMENT_METRICS } from '../../../../runtime/tasks/metrics/documents/documents.ts';
import { MetricError } from '../../../../runtime/tasks/metrics/metric.ts';
import { colorDifference } from '../../../../runtime/tasks/similarity/color-difference.ts';

const document = (body: string) => docx('a.docx', { body });
const color = (value: string) => `<w:color w:val="${value}"/>`;

describe('the format of runs', () => {
  const score = (name: string) =>
    DOCUMENT_METRICS.compare_font_names(
      document(paragraph(run('a', name) + hyperlink(run('b', '<w:rFonts w:ascii="Other"/>')))),
      { font_name: 'Arial' },
    );

  test('is their own: an inherited font is none, and runs of hyperlinks do not count', () => {
    expect(score('<w:rFonts w:ascii="Arial"/>')).toBe(1);
    expect(score('<w:rFonts w:hAnsi="Arial"/>')).toBe(0);
    expect(score('')).toBe(0);
  });

  test('a rule without a font is an error of the task', () => {
    expect(() => DOCUMENT_METRICS.compare_font_names(document(''), {})).toThrow(MetricError);
  });

  test('italic runs need 14 points, others none', () => {
    const check = (format: string) =>
      DOCUMENT_METRICS.check_italic_font_size_14(
        document(paragraph(run('a', format))),
        document(paragraph(run('a'))),
      );
    expect(check('<w:i/><w:sz w:val="28"/>')).toBe(1);
    expect(check('<w:i/><w:sz w:val="26"/>')).toBe(0);
    expect(check('<w:i/>')).toBe(0);
    expect(check('<w:i w:val="false"/>')).toBe(1);
    expect(check('<w:i w:val="maybe"/>')).toBe(0);
  });

  test('only the last paragraph must be struck through, with unchanged text', () => {
    const struck = '<w:strike/>';
    const check = (body: string) =>
      DOCUMENT_METRICS.evaluate_strike_through_last_paragraph(
        document(body),
        document(paragraph(run('a')) + paragraph(run('b'))),
      );
    expect(check(paragraph(run('a')) + paragraph(run('b', struck)))).toBe(1);
    expect(check(paragraph(run('a', struck)) + paragraph(run('b')))).toBe(0);
    expect(check(paragraph(run('b', struck)))).toBe(0);
  });
});

describe('check_tabstops', () => {
  const line = (position: number, alignment = 'left') =>
    document(
      paragraph(
        run('a b\tc'),
        `<w:tabs><w:tab w:val="clear" w:pos="9"/><w:tab w:val="${alignment}" w:pos="${position}"/></w:tabs>`,
      ) + sectionProperties({ page: 'w:w="12000"', margins: 'w:left="1000" w:right="1000"' }),
    );

  test('subtracts the distance as a share of the width of the text', () => {
    expect(DOCUMENT_METRICS.check_tabstops(line(1000), line(1000), {})).toBe(1);
    expect(DOCUMENT_METRICS.check_tabstops(line(3500), line(1000), {})).toBe(0.75);
    expect(DOCUMENT_METRICS.check_tabstops(line(1000, 'right'), line(1000), {})).toBe(0);
    expect(DOCUMENT_METRICS.check_tabstops(line(90_000), line(1000), {})).toBe(0);
  });

  test('counts the words before the tab', () => {
    const check = (options: Record<string, number>) =>
      DOCUMENT_METRICS.check_tabstops(line(1000), line(1000), options);
    expect(check({ word_number_split_by_tabstop: 2 })).toBe(1);
    expect(check({ word_number_split_by_tabstop: 2, index: 1 })).toBe(0);
    expect(check({ word_number_split_by_tabstop: 1, index: 1 })).toBe(1);
  });
});

describe('tables', () => {
  const grid = (first: string, format = '') =>
    document(
      table(2, [row([cell(paragraph(run(first, format))), cell(paragraph(run('b', color('0000FF'))))])]),
    );

  test('compare_docx_tables trims the text of each cell', () => {
    expect(DOCUMENT_METRICS.compare_docx_tables(grid(' a'), grid('a'))).toBe(1);
    expect(DOCUMENT_METRICS.compare_docx_tables(grid('A'), grid('a'))).toBe(0);
    expect(DOCUMENT_METRICS.compare_docx_tables(document(''), grid('a'))).toBe(0);
  });

  test('words that start with a vowel are red and others blue', () => {
    const check = (format: string, options = {}) =>
      DOCUMENT_METRICS.evaluate_colored_words_in_tables(grid('a', format), grid('a'), options);
    expect(check(color('FF0000'))).toBe(1);
    expect(check(color('FE0202'))).toBe(1);
    expect(check(color('FF4000'))).toBe(0);
    expect(check(color('FF4000'), { threshold: 50 })).toBe(1);
    expect(check(color('auto'))).toBe(0);
  });

  test('capitals count as such only without any small letter', () => {
    const check = (text: string) => DOCUMENT_METRICS.evaluate_conversion(grid(text));
    expect(check('ABC')).toBe(0);
    expect(check('Abc')).toBe(1);
    expect(check('12')).toBe(1);
  });
});

// Pairs of the paper of Sharma, Wu and Dalal cannot be written in sRGB, so these are laws.
test('the difference of colours is symmetric, 0 for equal ones and 100 between black and white', () => {
  expect(colorDifference([12, 200, 31], [12, 200, 31])).toBe(0);
  expect(colorDifference([0, 0, 0], [255, 255, 255])).toBeCloseTo(100, 1);
  expect(colorDifference([9, 80, 200], [200, 10, 30])).toBeCloseTo(
    colorDifference([200, 10, 30], [9, 80, 200]),
    9,
  );
});

test('page numbers are digits in the first line of the footer of each section', () => {
  const section = sectionProperties({ footer: 'rIdF0' });
  const check = (footer: string, body = section) =>
    DOCUMENT_METRICS.has_page_numbers_in_footers(docx('a.docx', { body, footers: [footer] }));
  expect(check(paragraph(pageField('1')))).toBe(1);
  expect(check(paragraph(pageField('I')))).toBe(0);
  expect(check(paragraph('') + paragraph(pageField('1')))).toBe(0);
  expect(check(paragraph(pageField('1')), paragraph('', section) + sectionProperties())).toBe(1);
  expect(check(paragraph(pageField('1')), sectionProperties())).toBe(0);
});

test('breaks of pages must be as many as the rule requires, and at least one', () => {
  const breaks = document(paragraph(run('a', '', '<w:br w:type="page"/><w:br/>')));
  const check = (rules: unknown) => DOCUMENT_METRICS.contains_page_break(breaks, rules);
  expect(check({ page_break_count: 1 })).toBe(1);
  expect(check({ page_break_count: 2 })).toBe(0);
  expect(check(undefined)).toBe(1);
  expect(DOCUMENT_METRICS.contains_page_break(document(''), { page_break_count: 0 })).toBe(0);
});

test('a yellow highlight must be gone, and the text must stay', () => {
  const gold = odt('gold.odt', { body: odtParagraph('word') });
  const check = (text: string, background: string) =>
    DOCUMENT_METRICS.check_highlighted_words(
      odt('a.odt', {
        body: odtParagraph(odtSpan(text, 'T1')),
        styles: odtStyle('T1', `fo:background-color="${background}"`),
      }),
      gold,
    );
  expect(check('word', '#ffff00')).toBe(0);
  expect(check('word', '#00ff00')).toBe(1);
  expect(check('other', '#00ff00')).toBe(0);
});

test('the default font of Writer is the last one set', () => {
  const item = (font: string) =>
    `<item oor:path="/org.openoffice.Office.Writer/DefaultFont"><prop oor:name="Standard"><value>${font}</value></prop></item>`;
  const check = (items: string) =>
    DOCUMENT_METRICS.find_default_font(
      textFile('a.xcu', `<oor:items xmlns:oor="http://openoffice.org/2001/registry">${items}</oor:items>`),
      { font_name: 'Arial' },
    );
  expect(check(item('Arial'))).toBe(1);
  expect(check(item('Arial') + item('Other'))).toBe(0);
  expect(check('')).toBe(0);
  expect(check('<')).toBe(0);
});
