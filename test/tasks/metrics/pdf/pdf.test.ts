import { expect, test } from 'vitest';
import { type PdfPicture, pdfOf } from '../../../../runtime/bench/osworld/cases/pdf-writer.ts';
import { jpegOf } from '../../../../runtime/bench/osworld/cases/pictures-jpeg.ts';
import { photo } from '../../../../runtime/bench/osworld/cases/pictures-raster.ts';
import { textFile } from '../../../../runtime/bench/osworld/cases/words.ts';
import { seeded } from '../../../../runtime/core/rng.ts';
import { openPdf } from '../../../../runtime/tasks/formats/pdf/open-pdf.ts';
import { MetricError, type TaskFile } from '../../../../runtime/tasks/metrics/metric.ts';
import { PDF_METRICS } from '../../../../runtime/tasks/metrics/pdf/pdf.ts';

const pdf = (...pages: readonly string[]): TaskFile => ({
  name: 'a.pdf',
  bytes: pdfOf(
    pages.map(text => ({ texts: [{ text, x: 50, y: 700, size: 12, font: 'Times-Roman' as const }] })),
  ),
});

test('compare_pdfs is the similarity of the texts, and the mean over lists', async () => {
  const { compare_pdfs: metric } = PDF_METRICS;
  expect(await metric(pdf('Invoice 7', 'Total'), pdf('Invoice 7', 'Total'))).toBe(1);
  expect(await metric(pdf('abcd'), pdf('abxy'))).toBe(0.5);
  expect(await metric([pdf('abcd'), null], [pdf('abcd'), pdf('abcd')])).toBe(0.5);
  expect(await metric(null, pdf('abcd'))).toBe(0);
  await expect(metric(pdf('abcd'), textFile('gold.pdf', 'text'))).rejects.toThrow(MetricError);
});

test('check_pdf_pages compares the number of pages', async () => {
  const { check_pdf_pages: metric } = PDF_METRICS;
  const rules = (relation: string, count: number) => ({ relation, ref_value: count });
  expect(await metric(pdf('1', '2'), rules('eq', 2))).toBe(1);
  expect(await metric(pdf('1', '2'), rules('lt', 2))).toBe(0);
  expect(await metric(textFile('a.pdf', 'no'), rules('ne', 2))).toBe(0);
  await expect(metric(pdf('1'), rules('about', 2))).rejects.toThrow(MetricError);
});

test('is_gold_text_included_in_pdf needs every value', async () => {
  const { is_gold_text_included_in_pdf: metric } = PDF_METRICS;
  const gold = (values: unknown) => textFile('gold.json', JSON.stringify(values));
  expect(await metric(pdf('Name: Ada Lovelace'), gold({ name: 'Ada Lovelace', label: 'Name' }))).toBe(1);
  expect(await metric(pdf('Name: Ada Lovelace'), gold({ name: 'Ada', age: '36' }))).toBe(0);
  await expect(metric(pdf('Name'), gold([1]))).rejects.toThrow(MetricError);
});

test('compare_pdf_images is the share of images that look alike', async () => {
  const { compare_pdf_images: metric } = PDF_METRICS;
  const picture = (seed: string, coarseness: number): PdfPicture => {
    const raster = photo(seeded(seed), [40, 40]);
    const shape = { width: 40, height: 40, colour: 'DeviceRGB', filter: 'DCTDecode' } as const;
    return { ...shape, data: jpegOf(raster, { coarseness }) };
  };
  const file = (...pictures: readonly PdfPicture[]): TaskFile => ({
    name: 'a.pdf',
    bytes: pdfOf([{ texts: [], pictures }]),
  });
  const gold = file(picture('one', 1), picture('two', 1));
  expect(await metric(file(picture('one', 2), picture('two', 1)), gold)).toBe(1);
  expect(await metric(file(picture('one', 1), picture('three', 1)), gold)).toBe(0.5);
  expect(await metric(file(picture('one', 1)), gold)).toBe(0);
  expect(await metric(file(), file())).toBe(1);
});

test('a JPEG image of a PDF file is the file that it contains', async () => {
  const data = jpegOf(photo(seeded('jpeg'), [40, 40]), { coarseness: 2 });
  const shape = { width: 40, height: 40, colour: 'DeviceRGB' } as const;
  const grey = new Uint8Array(1600).fill(9);
  const document = await openPdf(
    pdfOf([
      {
        texts: [],
        pictures: [
          { ...shape, filter: 'DCTDecode', data },
          { ...shape, colour: 'DeviceGray', filter: 'FlateDecode', data: grey },
        ],
      },
    ]),
    true,
  );
  const [jpeg, other] = [...(await document.page(0)).images.values()];
  await document.close();
  expect(jpeg?.jpeg?.subarray(0, data.length)).toEqual(Buffer.from(data));
  expect(other?.jpeg).toBeUndefined();
});

test('a damaged JPEG image in a result scores 0', async () => {
  const data = jpegOf(photo(seeded('jpeg'), [40, 40]), { coarseness: 2 });
  const fileOf = (bytes: Uint8Array): TaskFile => {
    const picture = { width: 40, height: 40, colour: 'DeviceRGB', filter: 'DCTDecode', data: bytes } as const;
    return { name: 'a.pdf', bytes: pdfOf([{ texts: [], pictures: [picture] }]) };
  };
  expect(await PDF_METRICS.compare_pdf_images(fileOf(data), fileOf(data))).toBe(1);
  expect(await PDF_METRICS.compare_pdf_images(fileOf(data.slice(0, -9)), fileOf(data))).toBe(0);
});

test('a web page with the name of a PDF file has a text and no images', async () => {
  const page = textFile('a.pdf', '<html><body><p>abcd</p></body></html>');
  expect(await PDF_METRICS.compare_pdfs(page, pdf('abxy'))).toBe(0.5);
  expect(await PDF_METRICS.compare_pdf_images(page, pdf('abcd'))).toBe(1);
  expect(await PDF_METRICS.is_gold_text_included_in_pdf(page, textFile('gold.json', '{"a":"abcd"}'))).toBe(0);
  expect(await PDF_METRICS.check_pdf_pages(page, { relation: 'ge', ref_value: 1 })).toBe(0);
});
