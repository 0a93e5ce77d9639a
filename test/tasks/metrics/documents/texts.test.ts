// Metrics that compare the text of documents.

import { describe, expect, test } from 'vitest';
import { docx, paragraph, run } from '../../../../runtime/bench/osworld/cases/documents-docx.ts';
import { odt, odtParagraph, odtText } from '../../../../runtime/bench/osworld/cases/documents-odt.ts';
import { DOCUMENT_METRICS } from '../../../../runtime/tasks/metrics/documents/documents.ts';
import { MetricError, type Options } from '../../../../runtime/tasks/metrics/metric.ts';

const document = (texts: readonly string[], name = 'a.docx') =>
  docx(name, { body: texts.map(text => paragraph(run(text))).join('') });

const odtDocument = (texts: readonly string[]) =>
  odt('a.odt', { body: texts.map(text => odtParagraph(odtText(text))).join('') });

describe('compare_docx_files', () => {
  const compare = (result: unknown, expected: unknown, options: Options = {}) =>
    DOCUMENT_METRICS.compare_docx_files(result, expected, options);

  test.each<[readonly string[], readonly string[], Options, number]>([
    [['a b', 'c'], ['a  b', '', 'c '], {}, 1],
    [['a b', 'c'], ['a b c'], {}, 1],
    [['a b', 'c'], ['a b c'], { ignore_blanks: false }, 0],
    [['a', 'b'], ['b', 'a'], {}, 0],
    [['a', 'b'], ['b', 'a'], { ignore_order: true }, 1],
    [['a', 'b'], ['b', 'a'], { ignore_order: true, ignore_blanks: false }, 1],
    [['A'], ['a'], {}, 0],
    [['A'], ['a'], { ignore_case: true }, 1],
    [['a', ' ', 'b'], ['a', 'b'], { ignore_blanks: false, delete_empty_lines: true }, 1],
    [['abcd'], ['abce'], { fuzzy_match: true }, 0.75],
    [['abcd'], ['abce'], { content_only: true }, 0.75],
    [['abcd', 'x'], ['abce', 'x'], { fuzzy_match: true, ignore_blanks: false }, 0.875],
    [['a'], ['b'], { unknown_option: true }, 0],
  ])('%j and %j with %j score %d', (result, expected, options, score) => {
    expect(compare(document(result), document(expected), options)).toBe(score);
  });

  test('compares odt files, but no odt file with a docx file', () => {
    expect(compare(odtDocument(['a']), odtDocument(['a']))).toBe(1);
    expect(compare(odtDocument(['a']), odtDocument(['b']))).toBe(0);
    expect(compare(odtDocument(['a']), document(['a']))).toBe(0);
  });

  test('the name of a file decides how it is read', () => {
    expect(compare(document(['a'], 'a.DOCX'), document(['a']))).toBe(0);
  });

  test('a missing or damaged result scores 0, and a damaged expected file is an error of the task', () => {
    const damaged = { name: 'gold.docx', bytes: new Uint8Array([1, 2, 3]) };
    expect(compare(null, document(['a']))).toBe(0);
    expect(compare(damaged, document(['a']))).toBe(0);
    expect(() => compare(document(['a']), damaged)).toThrow(MetricError);
    expect(() => compare(document(['a']), damaged)).toThrow(/compare_docx_files .* "gold\.docx".*Replace/);
    expect(() => compare(document(['a']), document(['a'], 'gold.doc'))).toThrow(MetricError);
  });
});

test('compare_docx_lines ignores order, repetition and blank lines', () => {
  const compare = (result: readonly string[]) =>
    DOCUMENT_METRICS.compare_docx_lines(document(result), document(['a', 'b']));
  expect(compare(['b ', '', 'a', 'a'])).toBe(1);
  expect(compare(['a'])).toBe(0);
});

test('compare_init_lines compares as many lines as both documents have', () => {
  const compare = (result: readonly string[]) =>
    DOCUMENT_METRICS.compare_init_lines(document(result), document(['a', 'b']));
  expect(compare(['a', 'b', 'c'])).toBe(1);
  expect(compare(['a'])).toBe(1);
  expect(compare(['b', 'a'])).toBe(0);
});

test('compare_references scales the similarity of the references from the base to 1', () => {
  const compare = (result: readonly string[], options: Options = {}) =>
    DOCUMENT_METRICS.compare_references(document(result), document(['intro', 'References', 'abcd']), options);
  expect(compare(['other', 'References', '', 'abcd'])).toBe(1);
  expect(compare(['References', 'abce'])).toBe(0.5);
  expect(compare(['References', 'abce'], { reference_base_result: 0.75 })).toBe(0);
  expect(compare(['abcd'])).toBe(0);
  expect(() => compare(['References'], { reference_base_result: 'high' })).toThrow(MetricError);
});

describe('lists of trains', () => {
  const line = (train: string, station = 'S1') => `08:00:00,${train},${station},P1`;
  const initial = document([line('T1'), line('T2'), line('T1', 'S2')]);
  const gold = document([line('T1'), line('T2')]);

  test.each<[readonly string[], number]>([
    [[line('T2'), line('T1', 'S2')], 1],
    [[line('T1'), line('T1', 'S2')], 0],
    [[line('T1')], 0],
    [[line('T1'), line('T2'), 'more'], 0],
    [[line('T1', 'S9'), line('T2')], 0],
  ])('%j scores %d', (lines, score) => {
    const metric = DOCUMENT_METRICS.compare_unique_train_records;
    expect(metric(document(lines), [gold, initial])).toBe(score);
  });

  test('need the gold and the initial document', () => {
    const metric = DOCUMENT_METRICS.compare_unique_train_records;
    expect(() => metric(initial, [gold])).toThrow(MetricError);
  });
});

test('fuzzy_place_math requires three words', () => {
  const score = (texts: readonly string[]) =>
    DOCUMENT_METRICS.fuzzy_place_math(document(texts), { expected: ['abcd', 'xyz'] });
  expect(score(['abcd xyz', '', 'abcd'])).toBe(1);
  expect(score(['abcd', 'abce', 'abcd'])).toBeCloseTo(2.75 / 3);
  expect(score(['abcd', 'xyz'])).toBe(0);
});
