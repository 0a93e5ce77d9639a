// A metric of the number of pages.

import { openPdf, PdfError } from '../../formats/pdf/open-pdf.ts';
import { isFile, MetricError, type Metrics, pass, rulesOf } from '../metric.ts';

const RELATIONS: Readonly<Record<string, (count: number, reference: number) => boolean>> = {
  lt: (count, reference) => count < reference,
  le: (count, reference) => count <= reference,
  eq: (count, reference) => count === reference,
  ne: (count, reference) => count !== reference,
  ge: (count, reference) => count >= reference,
  gt: (count, reference) => count > reference,
};

export const PDF_PAGE_METRICS = {
  /** The number of pages is in a `relation`, such as `le`, to `ref_value`. */
  check_pdf_pages: async (result, expected) => {
    if (!isFile(result)) return 0;
    const { relation, ref_value: reference } = rulesOf(expected);
    const holds = typeof relation === 'string' && Object.hasOwn(RELATIONS, relation) && RELATIONS[relation];
    if (!holds || typeof reference !== 'number')
      throw new MetricError(
        `check_pdf_pages cannot apply the relation ${JSON.stringify(relation)} to ${JSON.stringify(reference)}. ` +
          'Use lt, le, eq, ne, ge or gt, and a number.',
      );
    const count = await pageCount(result.bytes);
    return pass(count !== undefined && holds(count, reference));
  },
} satisfies Metrics;

async function pageCount(bytes: Uint8Array): Promise<number | undefined> {
  try {
    const document = await openPdf(bytes);
    await document.close();
    return document.pageCount;
  } catch (error) {
    if (error instanceof PdfError) return undefined;
    throw error;
  }
}
