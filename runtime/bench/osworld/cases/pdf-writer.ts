// Writes small PDF files: text at places, and images.

import { zlibSync } from 'fflate';
import { joined } from './pictures-png.ts';

export interface PdfText {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly font: (typeof FONTS)[number];
  /** Characters of Windows-1252. */
  readonly text: string;
  /** In degrees, counterclockwise. */
  readonly angle?: number;
  /** Moves each word by itself, as programs that justify text do. */
  readonly isSplit?: boolean;
  readonly characterSpacing?: number;
  /** Thousandths of the size between characters, as kerning. */
  readonly kerning?: number;
}

export interface PdfPicture {
  readonly width: number;
  readonly height: number;
  readonly colour: 'DeviceRGB' | 'DeviceGray';
  readonly filter: 'FlateDecode' | 'DCTDecode';
  /** Raw samples, or a JPEG file. */
  readonly data: Uint8Array;
}

export interface PdfSheet {
  readonly texts: readonly PdfText[];
  readonly pictures?: readonly PdfPicture[];
}

export interface PdfForm {
  readonly isCompressed?: boolean;
}

export const FONTS = ['Helvetica', 'Times-Roman', 'Courier', 'Helvetica-Bold'] as const;

const PAGE_SIZE = [595, 842] as const;

const latin = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'));

const streamOf = (dictionary: string, data: Uint8Array): Uint8Array =>
  joined([latin(`<< ${dictionary} /Length ${data.length} >>\nstream\n`), data, latin('\nendstream')]);

export function pdfOf(sheets: readonly PdfSheet[], { isCompressed = false }: PdfForm = {}): Uint8Array {
  const objects: Uint8Array[] = [];
  const add = (content: string | Uint8Array): number =>
    objects.push(typeof content === 'string' ? latin(content) : content);
  add('<< /Type /Catalog /Pages 2 0 R >>');
  const firstSheet = 3 + FONTS.length;
  const pages = sheets.map((_, index) => firstSheet + 2 * index);
  add(`<< /Type /Pages /Count ${pages.length} /Kids [${pages.map(page => `${page} 0 R`).join(' ')}] >>`);
  for (const font of FONTS)
    add(`<< /Type /Font /Subtype /Type1 /BaseFont /${font} /Encoding /WinAnsiEncoding >>`);
  let picture = firstSheet + 2 * sheets.length;
  const fonts = FONTS.map((_, index) => `/F${index} ${3 + index} 0 R`).join(' ');
  sheets.forEach((sheet, index) => {
    const images = (sheet.pictures ?? []).map((_, place) => `/Im${place} ${picture++} 0 R`).join(' ');
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${PAGE_SIZE.join(' ')}] /Contents ${firstSheet + 2 * index + 1} 0 R ` +
        `/Resources << /Font << ${fonts} >> /XObject << ${images} >> >> >>`,
    );
    const content = latin(operationsOf(sheet));
    add(isCompressed ? streamOf('/Filter /FlateDecode', zlibSync(content)) : streamOf('', content));
  });
  for (const { width, height, colour, filter, data } of sheets.flatMap(({ pictures }) => pictures ?? []))
    add(
      streamOf(
        `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /${colour} /BitsPerComponent 8 /Filter /${filter}`,
        filter === 'FlateDecode' ? zlibSync(data) : data,
      ),
    );
  return assembled(objects);
}

function assembled(objects: readonly Uint8Array[]): Uint8Array {
  const parts = [latin('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n')];
  let offset = parts[0]?.length ?? 0;
  const offsets: number[] = [];
  objects.forEach((object, index) => {
    const part = joined([latin(`${index + 1} 0 obj\n`), object, latin('\nendobj\n')]);
    offsets.push(offset);
    parts.push(part);
    offset += part.length;
  });
  const table = offsets.map(each => `${`${each}`.padStart(10, '0')} 00000 n \n`).join('');
  parts.push(
    latin(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}` +
        `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${offset}\n%%EOF\n`,
    ),
  );
  return joined(parts);
}

const escaped = (text: string): string => text.replace(/[\\()]/g, character => `\\${character}`);

const rounded = (value: number): number => Math.round(value * 1000) / 1000;

function operationsOf({ texts, pictures = [] }: PdfSheet): string {
  const images = pictures.map(
    ({ width, height }, index) => `q ${width} 0 0 ${height} 50 ${700 - 80 * index} cm /Im${index} Do Q`,
  );
  return [...texts.map(textOperations), ...images].join('\n');
}

function textOperations(written: PdfText): string {
  const { x, y, size, font, text, angle = 0, isSplit = false, characterSpacing = 0, kerning = 0 } = written;
  const turn = (angle * Math.PI) / 180;
  const [cosine, sine] = [rounded(Math.cos(turn)), rounded(Math.sin(turn))];
  const start = `BT /F${FONTS.indexOf(font)} ${size} Tf ${characterSpacing} Tc ${cosine} ${sine} ${-sine} ${cosine} ${x} ${y} Tm`;
  const characters = (part: string): string =>
    kerning === 0
      ? `(${escaped(part)}) Tj`
      : `[${Array.from(part, each => `(${escaped(each)})`).join(` ${kerning} `)}] TJ`;
  if (!isSplit) return `${start} ${characters(text)} ET`;
  // Without spaces: a distance of a third of the size stands between words.
  const words = text.split(' ').map(word => `[(${escaped(word)}) -333] TJ`);
  return `${start} ${words.join(' ')} ET`;
}
