// The files that tasks contain as lists of texts, read by the metrics that judge them.

import { expect, test } from 'vitest';
import { documentFile, slidesFile, tableFile } from '../../../runtime/environments/docker/office-files.ts';
import { DOCUMENT_METRICS } from '../../../runtime/tasks/metrics/documents/documents.ts';
import { comparePresentations } from '../../../runtime/tasks/metrics/slides/compare-presentations.ts';
import { compareTable } from '../../../runtime/tasks/metrics/spreadsheets/compare-table.ts';

const named = (name: string, bytes: Uint8Array) => ({ name, bytes });

test('a table has its numbers, texts and gaps, and the name of its sheet', async () => {
  const rows = (price: number) => [
    ['Item', 'Price'],
    ['Lamp & "shade" <new>', price],
    [null, 30],
  ];
  const file = named('a.xlsx', tableFile(rows(12), 'Spring'));
  const data = { rules: [{ type: 'sheet_data', sheet_idx0: 0, sheet_idx1: 'EI0' }] };
  expect(await compareTable(file, named('b.xlsx', tableFile(rows(12))), data)).toBe(1);
  expect(await compareTable(file, named('b.xlsx', tableFile(rows(13))), data)).toBe(0);
  const names = { rules: [{ type: 'sheet_name' }] };
  expect(await compareTable(file, named('b.xlsx', tableFile(rows(13), 'Spring')), names)).toBe(1);
  expect(await compareTable(file, named('b.xlsx', tableFile(rows(12))), names)).toBe(0);
});

test('a document has one paragraph per text', async () => {
  const compare = DOCUMENT_METRICS.compare_docx_files;
  const file = named('a.docx', documentFile(['One & two', 'Three']));
  expect(await compare(file, named('b.docx', documentFile(['One & two', 'Three'])), {})).toBe(1);
  expect(await compare(file, named('b.docx', documentFile(['One & two', 'Four'])), {})).toBe(0);
});

test('a presentation has its titles and lines', async () => {
  const options = { enable_debug: false };
  const file = named('a.pptx', slidesFile([['Title', 'A line'], ['Only a title']]));
  const compare = (slides: readonly (readonly string[])[]) =>
    comparePresentations(file, named('b.pptx', slidesFile(slides)), options);
  expect(await compare([['Title', 'A line'], ['Only a title']])).toBe(1);
  expect(await compare([['Title', 'Another line'], ['Only a title']])).toBe(0);
  expect(await compare([['Title', 'A line']])).toBe(0);
});
