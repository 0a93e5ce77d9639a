// Cases of the metrics in `tasks/metrics/pdf`.

import type { Random } from '../../../core/rng.ts';
import type { TaskFile } from '../../../tasks/metrics/metric.ts';
import type { CaseMakers } from '../metric-case.ts';
import { FONTS, type PdfPicture, type PdfSheet, type PdfText, pdfOf } from './pdf-writer.ts';
import { jpegOf } from './pictures-jpeg.ts';
import { blurred, inverted, noisy, photo, pick, type Raster, scaled, sizedTo } from './pictures-raster.ts';
import { textFile, word, words } from './words.ts';

const sentence = (random: Random): string => words(random, 3 + random.int(8)).join(' ');

/** Paragraphs from top to bottom, some in columns, tables, rotated or spaced text. */
function sheetOf(random: Random): PdfSheet {
  const font = pick(random, FONTS);
  const size = 8 + random.int(8);
  const leading = size * (1 + 0.1 * random.int(8));
  const isSplit = random.int(4) === 0;
  const kerning = random.int(5) === 0 ? 10 * (random.int(9) - 4) : 0;
  const texts: PdfText[] = [];
  let y = 780;
  for (let paragraph = 0; paragraph < 2 + random.int(4); paragraph++) {
    const kind = random.int(6);
    const columns = kind === 0 ? 3 : 1;
    for (let line = 0; line < 1 + random.int(5); line++) {
      for (let column = 0; column < columns; column++)
        texts.push({
          ...{ x: 50 + column * 170, y: Math.round(y * 10) / 10, size, font, isSplit },
          ...(kerning !== 0 && { kerning }),
          text: columns > 1 ? word(random) : sentence(random),
        });
      y -= leading;
    }
    y -= leading * random.int(3);
    if (kind === 1)
      texts.push({ x: 40, y: 300 + random.int(100), size, font, text: sentence(random), angle: 90 });
    if (kind === 2)
      texts.push({ x: 60, y, size: size * 2, font, text: word(random), characterSpacing: random.int(5) });
    if (kind === 3) {
      // A word in another font on the same line, and a raised number.
      texts.push({ x: 60, y, size, font: 'Courier', text: 'left' });
      texts.push({ x: 60 + 0.6 * size * 4 + random.int(12), y, size, font: 'Helvetica-Bold', text: 'right' });
      texts.push({ x: 200, y: y + 3, size: size * 0.6, font, text: '12' });
    }
    y -= leading * 2;
  }
  return { texts };
}

const sheetsOf = (random: Random): readonly PdfSheet[] =>
  Array.from({ length: 1 + random.int(3) }, () => sheetOf(random));

/** The changes of an agent: none, the layout, some words, the pages, or all. */
function changed(sheets: readonly PdfSheet[], random: Random): readonly PdfSheet[] {
  const mapTexts = (change: (text: PdfText) => PdfText): readonly PdfSheet[] =>
    sheets.map(sheet => ({ texts: sheet.texts.map(change) }));
  switch (random.int(8)) {
    case 0:
      return mapTexts(text => (random.int(3) === 0 ? { ...text, text: sentence(random) } : text));
    case 1:
      return mapTexts(text => ({ ...text, size: text.size + 2, font: 'Times-Roman' }));
    case 2:
      return sheets.slice(1);
    case 3:
      return [...sheets, ...sheetsOf(random)];
    case 4:
      return sheetsOf(random);
    case 5:
      return sheets.map(({ texts }) => ({ texts: [...texts].reverse() }));
    default:
      return sheets;
  }
}

const file = (name: string, sheets: readonly PdfSheet[], random: Random): TaskFile => ({
  name,
  bytes: pdfOf(sheets, { isCompressed: random.int(2) === 0 }),
});

function damaged(random: Random, { name, bytes }: TaskFile): TaskFile | null {
  return pick<TaskFile | null>(random, [
    null,
    { name, bytes: new Uint8Array(0) },
    { name, bytes: new TextEncoder().encode('<html>Not found</html>') },
    { name, bytes: bytes.slice(0, 30) },
  ]);
}

const sometimesDamaged = (random: Random, written: TaskFile): TaskFile | null =>
  random.int(12) === 0 ? damaged(random, written) : written;

function pictureOf(raster: Raster, random: Random): PdfPicture {
  const { width, height, rgba } = raster;
  const shape = { width, height };
  if (random.int(2) === 0)
    return { ...shape, colour: 'DeviceRGB', filter: 'DCTDecode', data: jpegOf(raster, { coarseness: 2 }) };
  const isGrey = random.int(3) === 0;
  const channels = isGrey ? [1] : [0, 1, 2];
  const data = Uint8Array.from({ length: width * height * channels.length }, (_, index) => {
    const pixel = Math.floor(index / channels.length);
    return rgba[4 * pixel + (channels[index % channels.length] ?? 0)] ?? 0;
  });
  return { ...shape, colour: isGrey ? 'DeviceGray' : 'DeviceRGB', filter: 'FlateDecode', data };
}

function retouched(raster: Raster, random: Random): Raster {
  switch (random.int(6)) {
    case 0:
      return noisy(random, raster, 10);
    case 1:
      return scaled(raster, 0.7);
    case 2:
      return sizedTo(raster, raster.width + 10, raster.height + 6);
    case 3:
      return pick(random, [blurred, inverted])(raster);
    case 4:
      return photo(random);
    default:
      return raster;
  }
}

export const PDF_CASES = {
  // OSWorld's library also reads web pages, which have a text. Ours breaks their lines after a number of characters, not by their width.
  compare_pdfs: random => {
    const pair = (index: number): readonly [TaskFile | null, TaskFile] => {
      const sheets = sheetsOf(random);
      const result = file(`${index}.pdf`, changed(sheets, random), random);
      return [sometimesDamaged(random, result), file(`${index}.pdf`, sheets, random)];
    };
    if (random.int(4) > 0) {
      const [result, expected] = pair(0);
      return { result, expected };
    }
    const pairs = Array.from({ length: 1 + random.int(2) }, (_, index) => pair(index));
    const results = pairs.map(([result]) => result);
    return {
      result: random.int(5) === 0 ? results.slice(1) : results,
      expected: pairs.map(([, expected]) => expected),
    };
  },
  is_gold_text_included_in_pdf: random => {
    const sheets = sheetsOf(random);
    const lines = sheets.flatMap(({ texts }) => texts.filter(({ angle }) => angle === undefined));
    const part = (): string => {
      const parts = pick(random, lines).text.split(' ');
      const first = random.int(parts.length);
      return parts.slice(first, first + 1 + random.int(3)).join(' ');
    };
    const values = Object.fromEntries(
      Array.from({ length: 1 + random.int(4) }, (_, index) => [
        `value ${index}`,
        random.int(8) === 0 ? words(random, 4).join(' ') : part(),
      ]),
    );
    return {
      result: sometimesDamaged(random, file('form.pdf', sheets, random)),
      expected: textFile('gold.json', JSON.stringify(values)),
    };
  },
  check_pdf_pages: random => {
    const sheets = Array.from({ length: random.int(6) }, () => sheetOf(random));
    return {
      result: sometimesDamaged(random, file('print.pdf', sheets, random)),
      expected: {
        relation: pick(random, ['lt', 'le', 'eq', 'ne', 'ge', 'gt']),
        ref_value: sheets.length + pick(random, [-1, 0, 0, 1]),
      },
    };
  },
  compare_pdf_images: random => {
    const rasters = Array.from({ length: random.int(5) }, () => photo(random));
    const sheet = (pictures: readonly Raster[]): PdfSheet => ({
      texts: sheetOf(random).texts.slice(0, 2),
      pictures: pictures.map(each => pictureOf(each, random)),
    });
    const split = random.int(rasters.length + 1);
    const others = random.int(6) === 0 ? rasters.slice(1) : rasters;
    const result = file('result.pdf', [sheet(others.map(each => retouched(each, random)))], random);
    return {
      result: sometimesDamaged(random, result),
      expected: file('gold.pdf', [sheet(rasters.slice(0, split)), sheet(rasters.slice(split))], random),
    };
  },
} satisfies CaseMakers;
