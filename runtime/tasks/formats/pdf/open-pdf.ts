// Opens PDF files.

import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { jpegStream } from './jpeg-stream.ts';
import { type PdfLibrary, pdfLibrary } from './pdf-library.ts';

export class PdfError extends Error {
  override readonly name = 'PdfError';
}

export interface PdfFont {
  /** Below the base line, in units of the font size; negative. */
  readonly descent: number;
  /** The unit of glyph widths, in font sizes. */
  readonly widthUnit: number;
}

/** One operation of a page: its name as in the PDF library, and its operands. */
export interface PdfOperation {
  readonly name: string;
  readonly operands: readonly unknown[];
}

export interface PdfImage {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3 | 4;
  readonly samples: Uint8Array;
  /** The file that the PDF file contains as it is; absent for images in other forms. */
  readonly jpeg?: Uint8Array;
}

export interface PdfPage {
  /** Left, bottom, right, top. */
  readonly box: readonly [number, number, number, number];
  readonly operations: readonly PdfOperation[];
  readonly fonts: ReadonlyMap<string, PdfFont>;
  readonly images: ReadonlyMap<string, PdfImage>;
}

export interface PdfDocument {
  readonly pageCount: number;
  page(index: number): Promise<PdfPage>;
  close(): Promise<void>;
}

type LibraryPage = Awaited<ReturnType<Awaited<ReturnType<PdfLibrary['getDocument']>['promise']>['getPage']>>;

const ERRORS_ONLY = 0;
const NO_LIMIT = -1;

/** With `withImages` the pages also decode their images, which takes longer. */
export async function openPdf(bytes: Uint8Array, withImages = false): Promise<PdfDocument> {
  const pdfjs = await pdfLibrary();
  const folder = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
  const task = pdfjs.getDocument({
    data: Uint8Array.from(bytes),
    cMapUrl: join(folder, 'cmaps', '/'),
    standardFontDataUrl: join(folder, 'standard_fonts', '/'),
    disableFontFace: true,
    isEvalSupported: false,
    maxImageSize: withImages ? NO_LIMIT : 0,
    stopAtErrors: false,
    useSystemFonts: false,
    verbosity: ERRORS_ONLY,
  });
  const file = withImages ? Buffer.from(bytes).toString('latin1') : '';
  try {
    const document = await task.promise;
    return {
      pageCount: document.numPages,
      page: async index => {
        try {
          return await readPage(pdfjs, await document.getPage(index + 1), file);
        } catch (error) {
          throw new PdfError(`Page ${index + 1} of the PDF file is damaged.`, { cause: error });
        }
      },
      close: () => task.destroy(),
    };
  } catch (error) {
    await task.destroy();
    throw new PdfError('The file is not a PDF file, it is damaged, or it needs a password.', {
      cause: error,
    });
  }
}

/** `file` has one character for each byte. */
async function readPage({ OPS }: PdfLibrary, page: LibraryPage, file: string): Promise<PdfPage> {
  const names = new Map(Object.entries(OPS).map(([name, code]) => [code as number, name]));
  const { fnArray: codes, argsArray } = await page.getOperatorList();
  const operations = codes.map((code, index) => ({
    name: names.get(code) ?? '',
    operands: operandsOf(argsArray[index]),
  }));
  const fonts = new Map<string, PdfFont>();
  const images = new Map<string, PdfImage>();
  for (const { name, operands } of operations) {
    const id = String(operands[0]);
    if (name === 'setFont' && page.commonObjs.has(id)) fonts.set(id, fontOf(page.commonObjs.get(id)));
    if (name === 'paintImageXObject' && !images.has(id)) {
      const image = imageOf(await objectOf(page, id), file);
      if (image !== undefined) images.set(id, image);
    }
  }
  const [left = 0, bottom = 0, right = 0, top = 0] = page.view;
  return { box: [left, bottom, right, top], operations, fonts, images };
}

const operandsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const USUAL_DESCENT = -0.2;

function fontOf(value: unknown): PdfFont {
  const { descent, fontMatrix } = value as { readonly descent?: unknown; readonly fontMatrix?: unknown };
  const unit: unknown = Array.isArray(fontMatrix) ? fontMatrix[0] : undefined;
  return {
    // The library knows none for some standard fonts.
    descent: typeof descent === 'number' && Number.isFinite(descent) ? descent : USUAL_DESCENT,
    widthUnit: typeof unit === 'number' ? unit : 0.001,
  };
}

/** An image that several pages share belongs to the document. */
const objectOf = (page: LibraryPage, id: string): Promise<unknown> =>
  new Promise(resolve => (id.startsWith('g_') ? page.commonObjs : page.objs).get(id, resolve));

const [GREY_1, RGB, RGBA] = [1, 2, 3];

function imageOf(value: unknown, file: string): PdfImage | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { width, height, kind, data, ref } = value as Readonly<Record<string, unknown>>;
  if (typeof width !== 'number' || typeof height !== 'number' || !ArrayBuffer.isView(data)) return undefined;
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  const jpeg = typeof ref === 'string' ? jpegStream(file, ref) : undefined;
  const shape = { width, height, ...(jpeg && { jpeg }) };
  if (kind === RGB) return { ...shape, channels: 3, samples: bytes };
  if (kind === RGBA) return { ...shape, channels: 4, samples: bytes };
  if (kind !== GREY_1) return undefined;
  const stride = (width + 7) >> 3;
  const samples = Uint8Array.from({ length: width * height }, (_, pixel) => {
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    return ((bytes[y * stride + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1 ? 255 : 0;
  });
  return { width, height, channels: 1, samples };
}
