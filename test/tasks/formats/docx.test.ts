// The texts, runs and cells of a docx file, as python-docx reads them.

import { describe, expect, test } from 'vitest';
import {
  cell,
  contentControl,
  docx,
  docxEntries,
  hyperlink,
  inserted,
  paragraph,
  row,
  run,
  table,
} from '../../../runtime/bench/osworld/cases/documents-docx.ts';
import { zipOf } from '../../../runtime/bench/osworld/cases/zip.ts';
import { DocumentError } from '../../../runtime/tasks/formats/document/document-error.ts';
import { openDocx } from '../../../runtime/tasks/formats/document/docx.ts';
import {
  lineSpacingOf,
  paragraphsOf,
  paragraphText,
  runsOf,
} from '../../../runtime/tasks/formats/document/paragraph.ts';
import { cellText, gridCells, rowCells, tablesOf } from '../../../runtime/tasks/formats/document/table.ts';

const bodyOf = (body: string) => openDocx(docx('a.docx', { body }).bytes).body;
const textsOf = (body: string) => paragraphsOf(bodyOf(body)).map(paragraphText);

describe('the text of a paragraph', () => {
  test('has tabs and ends of lines, and the text of hyperlinks', () => {
    expect(textsOf(paragraph(run('a\tb\n') + hyperlink(run('link'))))).toEqual(['a\tb\nlink']);
  });

  test('has no tracked insertions, breaks of pages or formulas', () => {
    const formula = '<m:oMath><m:r><m:t>x</m:t></m:r></m:oMath>';
    const content = inserted(run('new')) + run('old', '', '<w:br w:type="page"/>') + formula;
    expect(textsOf(paragraph(content))).toEqual(['old']);
  });

  test('is only that of the body: tables and content controls have their own', () => {
    const inside = paragraph(run('inside'));
    const blocks = table(1, [row([cell(inside)])]) + contentControl(inside) + paragraph(run('body'));
    expect(textsOf(blocks)).toEqual(['body']);
  });

  test('counts runs outside of hyperlinks only', () => {
    const first = paragraphsOf(bodyOf(paragraph(run('a') + hyperlink(run('b')))))[0];
    expect(first && runsOf(first)).toHaveLength(1);
  });
});

test.each<[string, number | undefined]>([
  ['', undefined],
  ['<w:spacing w:line="480" w:lineRule="auto"/>', 2],
  ['<w:spacing w:line="480"/>', 2],
  ['<w:spacing w:line="480" w:lineRule="exact"/>', 304_800],
  ['<w:spacing w:line="24pt" w:lineRule="exact"/>', 304_800],
  ['<w:spacing w:after="480"/>', undefined],
])('the line spacing of %s is %s', (properties, spacing) => {
  const first = paragraphsOf(bodyOf(paragraph('', properties)))[0];
  expect(first && lineSpacingOf(first)).toBe(spacing);
});

describe('a merged cell', () => {
  const text = (content: string) => paragraph(run(content));
  const wide = '<w:gridSpan w:val="2"/>';
  const tableOf = (rows: readonly string[]) => {
    const found = tablesOf(bodyOf(table(3, rows)))[0];
    if (found === undefined) throw new Error('The body has no table.');
    return found;
  };

  test('appears at each place that it covers', () => {
    const merged = tableOf([
      row([cell(text('a'), `${wide}<w:vMerge w:val="restart"/>`), cell(text('b'))]),
      row([cell(text('hidden'), `${wide}<w:vMerge/>`), cell(text('c'))]),
    ]);
    expect(gridCells(merged).map(cellText)).toEqual(['a', 'a', 'b', 'a', 'a', 'c']);
    expect(rowCells(merged).map(cells => cells.map(cellText))).toEqual([
      ['a', 'a', 'b'],
      ['a', 'a', 'c'],
    ]);
  });

  test('without a cell above makes the table unreadable', () => {
    const broken = tableOf([row([cell(text('a'), '<w:vMerge/>'), cell(text('b')), cell(text('c'))])]);
    expect(() => gridCells(broken)).toThrow(DocumentError);
    expect(() => rowCells(broken)).toThrow(DocumentError);
  });

  test('cannot fill the memory', () => {
    const huge = tableOf([row([cell(text('a'), '<w:gridSpan w:val="2000000000"/>')])]);
    expect(() => gridCells(huge)).toThrow(DocumentError);
  });
});

describe('a file is unreadable', () => {
  const entries = docxEntries({ body: paragraph(run('text')) });
  const { 'word/styles.xml': styles, ...withoutStyles } = entries;

  test.each<[string, Uint8Array]>([
    ['that is no archive', new TextEncoder().encode('text')],
    ['whose relationship leads nowhere', zipOf(withoutStyles)],
    ['with a broken part', zipOf({ ...entries, 'word/styles.xml': `${styles}<` })],
    [
      'with an unknown encoding',
      zipOf({ ...entries, 'word/styles.xml': '<?xml version="1.0" encoding="x"?><a/>' }),
    ],
    ['that is a template', docx('a.docx', { body: '', kind: 'template' }).bytes],
  ])('%s', (_, bytes) => {
    expect(() => openDocx(bytes)).toThrow(DocumentError);
  });

  test('not if it is complete', () => {
    expect(() => openDocx(zipOf(entries))).not.toThrow();
  });
});
