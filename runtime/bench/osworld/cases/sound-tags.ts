// Writes sound files with ID3 tags of every version.

import type { Random } from '../../../core/rng.ts';
import { joined } from './pictures-png.ts';
import { pick } from './pictures-raster.ts';

/** The texts of a tag by the name of its frame in version 2.4. */
export type Tags = Readonly<Record<string, readonly string[]>>;

const SHORT: Readonly<Record<string, string>> = {
  ...{
    TIT2: 'TT2',
    TPE1: 'TP1',
    TALB: 'TAL',
    TCON: 'TCO',
    TRCK: 'TRK',
    TYER: 'TYE',
    TCOM: 'TCM',
    TPE2: 'TP2',
  },
};

const ascii = (text: string): Uint8Array => Uint8Array.from(text, character => character.charCodeAt(0));

const number = (value: number, count: number, bits: number): Uint8Array =>
  Uint8Array.from(
    { length: count },
    (_, index) => Math.floor(value / 2 ** (bits * (count - 1 - index))) % 2 ** bits,
  );

/** Frames of silence of an MPEG layer III stream. */
function silence(count: number): Uint8Array {
  const frame = new Uint8Array(417);
  frame.set([0xff, 0xfb, 0x90, 0x64]);
  return joined(Array.from({ length: count }, () => frame));
}

function encoded(texts: readonly string[], random: Random, version: number): Uint8Array {
  const isLatin = texts.every(text => Array.from(text).every(each => (each.codePointAt(0) ?? 0) < 256));
  const encoding = pick(random, [...(isLatin ? [0] : []), 1, ...(version === 4 ? [2, 3] : [])]);
  const end = random.int(3) === 0 ? '\0' : '';
  if (encoding === 0) return joined([Uint8Array.of(0), ascii(texts.join('\0') + end)]);
  if (encoding === 3) return joined([Uint8Array.of(3), new TextEncoder().encode(texts.join('\0') + end)]);
  const isBig = encoding === 2 || random.int(2) === 0;
  const mark = encoding === 1 ? '\ufeff' : '';
  const text = texts.map(each => mark + each).join('\0') + end;
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
  return Uint8Array.from([
    encoding,
    ...units.flatMap(unit => (isBig ? [unit >> 8, unit & 255] : [unit & 255, unit >> 8])),
  ]);
}

function frame(name: string, data: Uint8Array, version: number): Uint8Array {
  if (version === 2) return joined([ascii(name), number(data.length, 3, 8), data]);
  return joined([ascii(name), number(data.length, 4, version === 4 ? 7 : 8), Uint8Array.of(0, 0), data]);
}

function tagOf(tags: Tags, random: Random, version: number): Uint8Array {
  const frames = Object.entries(tags).flatMap(([name, texts]) => {
    const written = version === 2 ? SHORT[name] : name;
    return written === undefined ? [] : [frame(written, encoded(texts, random, version), version)];
  });
  const picture = version === 2 ? [] : [frame('APIC', new Uint8Array(40).fill(7), version)];
  const body = joined([
    ...frames,
    ...(random.int(2) === 0 ? picture : []),
    new Uint8Array(random.int(3) * 50),
  ]);
  return joined([ascii('ID3'), Uint8Array.of(version, 0, 0), number(body.length, 4, 7), body]);
}

function trailerOf(tags: Tags, random: Random): Uint8Array {
  const trailer = new Uint8Array(128);
  trailer.set(ascii('TAG'));
  const put = (name: string, start: number, size: number): void =>
    trailer.set(Buffer.from(tags[name]?.[0] ?? '', 'latin1').subarray(0, size), start);
  put('TIT2', 3, 30);
  put('TPE1', 33, 30);
  put('TALB', 63, 30);
  put('TYER', 93, 4);
  trailer[126] = random.int(20);
  trailer[127] = pick(random, [255, 0, 17, 12]);
  return trailer;
}

/** Most files have a tag at the start; some have one at the end, too or alone; some have none. */
export function soundFile(tags: Tags, random: Random): Uint8Array {
  const kind = random.int(10);
  const start = kind < 8 ? [tagOf(tags, random, pick(random, [2, 3, 3, 4, 4]))] : [];
  const end = kind === 8 || kind === 0 ? [trailerOf(tags, random)] : [];
  return joined([...start, silence(1 + random.int(3)), ...end]);
}
