// Opens the PDF files that a metric compares.

import { openPdf, type PdfDocument, PdfError, type PdfPage } from '../../formats/pdf/open-pdf.ts';
import { expectedFile, isFile, MetricError } from '../metric.ts';

/** The values that `read` returns for the pages of a result; undefined if the result is no PDF file. */
export async function readResultPages<T>(
  result: unknown,
  read: (page: PdfPage) => T | Promise<T>,
  withImages = false,
): Promise<readonly T[] | undefined> {
  if (!isFile(result)) return undefined;
  try {
    return await pagesOf(await openPdf(result.bytes, withImages), read);
  } catch (error) {
    if (error instanceof PdfError) return undefined;
    throw error;
  }
}

export async function readExpectedPages<T>(
  expected: unknown,
  metric: string,
  read: (page: PdfPage) => T | Promise<T>,
  withImages = false,
): Promise<readonly T[]> {
  const file = expectedFile(expected, metric);
  try {
    return await pagesOf(await openPdf(file.bytes, withImages), read);
  } catch (error) {
    if (!(error instanceof PdfError)) throw error;
    throw new MetricError(
      `${metric} cannot read the expected file ${JSON.stringify(file.name)} of ${file.bytes.length} bytes: ${error.message}`,
      { cause: error },
    );
  }
}

async function pagesOf<T>(
  document: PdfDocument,
  read: (page: PdfPage) => T | Promise<T>,
): Promise<readonly T[]> {
  try {
    const pages: T[] = [];
    for (let index = 0; index < document.pageCount; index++)
      pages.push(await read(await document.page(index)));
    return pages;
  } finally {
    await document.close();
  }
}
