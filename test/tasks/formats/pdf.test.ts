import { describe, expect, test } from 'vitest';
import { type PdfText, pdfOf } from '../../../runtime/bench/osworld/cases/pdf-writer.ts';
import { openPdf, PdfError } from '../../../runtime/tasks/formats/pdf/open-pdf.ts';
import { pageText } from '../../../runtime/tasks/formats/pdf/page-text.ts';
import { wordText } from '../../../runtime/tasks/formats/pdf/word-text.ts';

const written = (text: string, x: number, y: number, more: Partial<PdfText> = {}): PdfText => ({
  ...{ text, x, y, size: 10, font: 'Helvetica' },
  ...more,
});

async function textsOf(texts: readonly PdfText[]): Promise<{ page: string; words: string }> {
  const document = await openPdf(pdfOf([{ texts }]));
  const page = await document.page(0);
  await document.close();
  return { page: pageText(page), words: wordText(page) };
}

test('reading a PDF file leaves the functions of the process as they are', async () => {
  await textsOf([written('text', 50, 600)]);
  const functions = [JSON.stringify, JSON.parse, Array.prototype.push, Function.prototype.toString];
  // Functions that JavaScript defines have no prototype; those of a library have one.
  for (const each of functions) expect(Object.hasOwn(each, 'prototype')).toBe(false);
});

describe('the text of a page', () => {
  test('has the order of drawing, and words the order of the page', async () => {
    const { page, words } = await textsOf([written('below', 50, 600), written('above é', 50, 700)]);
    expect(page).toBe('below\nabove é\n');
    expect(words).toBe('above é\nbelow');
  });

  // "AA" in Helvetica of 10 points is 13.34 points wide.
  test.each([
    [1, 'AABB\n'],
    [2, 'AA BB\n'],
    [9, 'AA\nBB\n'],
    [-9, 'AA\nBB\n'],
  ])('a gap of %d points joins or separates', async (gap, expected) => {
    const { page } = await textsOf([written('AA', 100, 700), written('BB', 113.34 + gap, 700)]);
    expect(page).toBe(expected);
  });

  test('another direction starts a line', async () => {
    const { page } = await textsOf([written('up', 50, 600, { angle: 90 }), written('along', 50, 600)]);
    expect(page).toBe('up\nalong\n');
  });

  test('leaves out what lies outside of the page', async () => {
    expect((await textsOf([written('in', 10, 100), written('out', -90, 100)])).page).toBe('in\n');
  });

  test('words in different fonts on one line belong together', async () => {
    const { words } = await textsOf([
      written('left', 50, 700, { font: 'Courier' }),
      written('right', 90, 700),
    ]);
    expect(words).toBe('left right');
  });
});

test('counts pages, and rejects other files', async () => {
  const document = await openPdf(pdfOf([{ texts: [] }, { texts: [] }], { isCompressed: true }));
  expect(document.pageCount).toBe(2);
  await document.close();
  await expect(openPdf(new TextEncoder().encode('<html></html>'))).rejects.toThrow(PdfError);
  await expect(openPdf(new Uint8Array(0))).rejects.toThrow(PdfError);
});

test('a damaged page is a PdfError, and the other pages are read', async () => {
  const sheets = [{ texts: [written('first', 50, 600)] }, { texts: [] }];
  // The list of pages names the content of the first page in the place of the second page.
  const damaged = Buffer.from(pdfOf(sheets))
    .toString('latin1')
    .replace('/Kids [7 0 R 9 0 R]', '/Kids [7 0 R 8 0 R]');
  const document = await openPdf(Buffer.from(damaged, 'latin1'));
  expect(document.pageCount).toBe(2);
  expect(pageText(await document.page(0))).toBe('first\n');
  await expect(document.page(1)).rejects.toThrow(PdfError);
  await document.close();
});
