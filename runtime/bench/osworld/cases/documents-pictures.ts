// Cases of pictures in documents, and the small pictures themselves.

import { zlibSync } from 'fflate';
import type { Random } from '../../../core/rng.ts';
import type { CaseMakers } from '../metric-case.ts';
import { type Block, blocks, blocksDocx, blockXml, replaced } from './documents-blocks.ts';
import { once, perhapsDamaged, pick } from './documents-damage.ts';
import {
  type DocxParts,
  docx,
  paragraph,
  picture,
  run,
  sectionProperties,
  textBox,
} from './documents-docx.ts';
import { textFile } from './words.ts';

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue of each pixel. */
  readonly samples: readonly number[];
}

const pixels = (random: Random): Pixels => {
  const [width, height] = [1 + random.int(5), 1 + random.int(4)];
  return { width, height, samples: Array.from({ length: width * height * 3 }, () => random.int(256)) };
};

type Level = 0 | 9;

/** The same pixels at another level are other bytes. */
function png({ width, height, samples }: Pixels, level: Level): Uint8Array {
  const rows = Array.from({ length: height }, (_, y) => [
    0,
    ...samples.slice(y * width * 3, (y + 1) * width * 3),
  ]);
  return Uint8Array.from([
    ...[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    ...chunk('IHDR', [...big(width), ...big(height), 8, 2, 0, 0, 0]),
    ...chunk('IDAT', [...zlibSync(Uint8Array.from(rows.flat()), { level })]),
    ...chunk('IEND', []),
  ]);
}

const chunk = (type: string, data: readonly number[]): readonly number[] => {
  const content = [...new TextEncoder().encode(type), ...data];
  return [...big(data.length), ...content, ...big(crc32(content))];
};

const big = (value: number): readonly number[] => [24, 16, 8, 0].map(shift => (value >>> shift) & 255);

function crc32(bytes: readonly number[]): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}

function bmp({ width, height, samples }: Pixels): Uint8Array {
  const little = (value: number, size: number) =>
    Array.from({ length: size }, (_, index) => (value >>> (8 * index)) & 255);
  const padding = Array.from({ length: (-width * 3) & 3 }, () => 0);
  const rows = Array.from({ length: height }, (_, index) => {
    const y = height - 1 - index;
    const colors = Array.from({ length: width }, (_, x) => {
      const start = (y * width + x) * 3;
      return samples.slice(start, start + 3).reverse();
    });
    return [...colors.flat(), ...padding];
  }).flat();
  return Uint8Array.from([
    ...[0x42, 0x4d, ...little(54 + rows.length, 4), ...little(0, 4), ...little(54, 4)],
    ...[...little(40, 4), ...little(width, 4), ...little(height, 4), ...little(1, 2), ...little(24, 2)],
    ...[...little(0, 4), ...little(rows.length, 4), ...little(2835, 4), ...little(2835, 4), ...little(0, 8)],
    ...rows,
  ]);
}

type Picture = readonly [name: string, bytes: Uint8Array];

const CHANGES: readonly ((random: Random, all: readonly Pixels[]) => readonly Picture[])[] = [
  (_, all) => all.map((each, index) => [`image${index}.png`, png(each, 9)]),
  (_, all) => all.map((each, index) => [`image${index}.png`, png(each, 0)]),
  (_, all) => all.map((each, index) => [`image${index}.bmp`, bmp(each)]),
  (_, all) => [...all].reverse().map((each, index) => [`image${index}.png`, png(each, 9)]),
  (_, all) => all.slice(1).map((each, index) => [`image${index}.png`, png(each, 9)]),
  (random, all) =>
    all.map((each, index) => [`image${index}.png`, png(index === 0 ? pixels(random) : each, 9)]),
  (_, all) => all.map((_, index) => [`image${index}.png`, textFile('', 'no picture').bytes]),
];

const LINKED =
  '<Relationship Id="rIdL" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="http://example.org/a.png" TargetMode="External"/>';

const pictureDocx = (name: string, pictures: readonly Picture[], parts: Partial<DocxParts> = {}) =>
  docx(name, {
    body:
      pictures.map((_, index) => paragraph(run('', '', picture(`rIdP${index}`)))).join('') +
      sectionProperties(),
    pictures,
    ...parts,
  });

/** Puts a picture or a text box into some runs. */
const decorated = (random: Random, content: readonly Block[]): readonly Block[] =>
  content.map(block => ({
    ...block,
    pieces: block.pieces.map(piece =>
      once(random, 3)
        ? { ...piece, more: pick(random, [picture('rIdP0'), textBox(paragraph(run('boxed')))]) }
        : piece,
    ),
  }));

const withoutPictures = ({ pieces }: Block): Block => ({ pieces: pieces.map(({ text }) => ({ text })) });

export const PICTURE_DOCUMENT_CASES = {
  compare_docx_images: random => {
    const all = Array.from({ length: random.int(4) }, () => pixels(random));
    const change = once(random, 3) ? pick(random, CHANGES) : pick(random, CHANGES.slice(0, 3));
    const parts = once(random, 20) ? { relationships: LINKED } : {};
    return {
      result: perhapsDamaged(random, pictureDocx('result.docx', change(random, all), parts)),
      expected: pictureDocx(
        'gold.docx',
        all.map((each, index) => [`image${index}.png`, png(each, 9)]),
      ),
    };
  },
  compare_contains_image: random => {
    const gold = decorated(random, blocks(random));
    const result = pick(random, [
      gold,
      gold,
      [...gold, { pieces: [{ text: 'a graphicData more' }] }],
      replaced(gold, random.int(gold.length), withoutPictures),
      replaced(gold, 0, block => ({ pieces: [{ text: 'graphicData' }, ...block.pieces] })),
      decorated(random, gold),
      gold.slice(1),
    ]);
    const pictures = { pictures: [['image0.png', png(pixels(random), 9)] as const] };
    const extra = once(random, 5) ? [{ pieces: [] }] : [];
    return {
      result: perhapsDamaged(random, blocksDocx('result.docx', [...result, ...extra], pictures)),
      expected: docx('gold.docx', { body: gold.map(blockXml).join(''), ...pictures }),
    };
  },
} satisfies CaseMakers;
