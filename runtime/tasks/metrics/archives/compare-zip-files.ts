// Compares ZIP archives file by file.

import { ArchiveError, readZip, zipNames } from '../../formats/zip.ts';
import { linesRatio } from '../../similarity/lines-ratio.ts';
import { expectedFile, isFile, type Metric, MetricError, pass } from '../metric.ts';

/** Two PDF files are equal where this share of their characters matches. */
const MIN_PDF_SIMILARITY = 0.95;

/** Reads the text of a PDF file; undefined for another file. */
export type PdfReader = (bytes: Uint8Array) => Promise<string | undefined>;

/** The archives have the same names of files and folders, and files with equal bytes, or equal texts in PDF files. */
export const compareZipFiles =
  (textOfPdf: PdfReader): Metric =>
  async (result, expected) => {
    const wanted = contentOf(expectedFile(expected, 'compare_zip_files').bytes);
    if (wanted === undefined)
      throw new MetricError(
        'compare_zip_files cannot read the expected file: it is no ZIP archive, or damaged. Replace it.',
      );
    const found = isFile(result) ? contentOf(result.bytes) : undefined;
    if (found === undefined || found.names.size !== wanted.names.size) return 0;
    for (const name of found.names) {
      if (!wanted.names.has(name)) return 0;
      const [a, b] = [found.files.get(name), wanted.files.get(name)];
      if (a === undefined || b === undefined || isEqual(a, b)) continue;
      if (!name.toLowerCase().endsWith('.pdf') || !(await samePdf(a, b, textOfPdf))) return 0;
    }
    return pass(true);
  };

interface Content {
  readonly names: ReadonlySet<string>;
  readonly files: ReadonlyMap<string, Uint8Array>;
}

function contentOf(bytes: Uint8Array): Content | undefined {
  try {
    const files = readZip(bytes);
    return { files, names: new Set(zipNames(bytes) ?? files.keys()) };
  } catch (error) {
    if (error instanceof ArchiveError) return undefined;
    throw error;
  }
}

const isEqual = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

async function samePdf(a: Uint8Array, b: Uint8Array, textOfPdf: PdfReader): Promise<boolean> {
  const [first, second] = [await textOfPdf(a), await textOfPdf(b)];
  if (first === undefined || second === undefined) return false;
  return linesRatio([...first], [...second]) >= MIN_PDF_SIMILARITY;
}
