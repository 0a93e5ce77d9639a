// Reads the text frames of ID3 tags (versions 1, 2.2, 2.3 and 2.4) under the names of version 2.4.

import { inflateSync } from 'node:zlib';

export class Id3Error extends Error {
  override readonly name = 'Id3Error';
}

/** The texts of a frame by its name, such as TIT2. */
export type Id3Frames = ReadonlyMap<string, readonly string[]>;

const HEADER_SIZE = 10;

/** By so much all compressed texts of a tag may grow together. */
const MAX_GROWTH_BYTES = 4 * 1024 * 1024;

/** Throws an Id3Error for a file without a tag. */
export function readId3(bytes: Uint8Array): Id3Frames {
  const version = bytes[3] ?? 0;
  const isTagged = startsWith(bytes, 'ID3') && bytes.length >= HEADER_SIZE && version >= 2 && version <= 4;
  const trailer = readTrailer(bytes);
  if (!isTagged && trailer === undefined) throw new Id3Error('The file has no ID3 tag.');
  const frames = isTagged ? readFrames(bytes, version) : new Map<string, readonly string[]>();
  for (const [name, texts] of trailer ?? []) if (!frames.has(name)) frames.set(name, texts);
  return upgraded(frames);
}

const startsWith = (bytes: Uint8Array, text: string): boolean =>
  Array.from(text).every((character, index) => bytes[index] === character.charCodeAt(0));

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

const bigEndian = (bytes: Uint8Array, bits: number): number =>
  bytes.reduce((value, byte) => value * 2 ** bits + byte, 0);

/** Numbers of seven bits in each byte. */
const isPadded = (bytes: Uint8Array): boolean => bytes.every(byte => byte < 128);

function readFrames(bytes: Uint8Array, version: number): Map<string, readonly string[]> {
  const flags = bytes[5] ?? 0;
  const sizeBytes = bytes.subarray(6, HEADER_SIZE);
  const size = bigEndian(sizeBytes, 7);
  if (!isPadded(sizeBytes)) throw new Id3Error('The size of the ID3 tag is damaged.');
  if (HEADER_SIZE + size > bytes.length) throw new Id3Error('The ID3 tag is truncated.');
  const isUnsynchronized = (flags & 0x80) !== 0;
  const whole = bytes.subarray(HEADER_SIZE, HEADER_SIZE + size);
  const body = whole.subarray(flags & 0x40 ? extendedSize(whole, version) : 0);
  const data = isUnsynchronized && version < 4 ? synchronized(body) : body;
  const frames = new Map<string, readonly string[]>();
  for (const frame of version === 2 ? shortFrames(data) : longFrames(data, version, isUnsynchronized)) {
    const texts = textsOf(frame.data);
    if (texts === undefined) continue;
    const known = frames.get(frame.name) ?? [];
    frames.set(frame.name, [...known, ...texts.filter(text => !known.includes(text))]);
  }
  return frames;
}

/** Some programs set the flag and write no extended header. */
function extendedSize(body: Uint8Array, version: number): number {
  const start = body.subarray(0, 4);
  if (/^[A-Z]{3}[A-Z0-9]$/.test(latin1(start))) return 0;
  return version === 4 ? bigEndian(start, 7) : 4 + bigEndian(start, 8);
}

/** Removes the zero that follows each byte 255. */
const synchronized = (bytes: Uint8Array): Uint8Array =>
  bytes.filter((byte, index) => !(byte === 0 && bytes[index - 1] === 0xff));

interface Frame {
  readonly name: string;
  readonly data: Uint8Array;
}

const SHORT_NAMES: Readonly<Record<string, string>> = {
  ...{ TT1: 'TIT1', TT2: 'TIT2', TT3: 'TIT3', TP1: 'TPE1', TP2: 'TPE2', TP3: 'TPE3', TP4: 'TPE4' },
  ...{ TCM: 'TCOM', TXT: 'TEXT', TLA: 'TLAN', TCO: 'TCON', TAL: 'TALB', TPA: 'TPOS', TRK: 'TRCK' },
  ...{ TRC: 'TSRC', TYE: 'TYER', TDA: 'TDAT', TIM: 'TIME', TMT: 'TMED', TBP: 'TBPM', TCP: 'TCMP' },
  ...{ TCR: 'TCOP', TPB: 'TPUB', TEN: 'TENC', TST: 'TSOT', TSA: 'TSOA', TS2: 'TSO2', TSP: 'TSOP' },
  ...{ TSC: 'TSOC', TLE: 'TLEN', TOL: 'TOLY', TOR: 'TORY' },
};

/** The frames with texts. */
function* shortFrames(data: Uint8Array): Generator<Frame> {
  for (let offset = 0; offset + 6 <= data.length; ) {
    const id = latin1(data.subarray(offset, offset + 3));
    if (id === '\0\0\0') return;
    const start = offset + 6;
    offset = start + bigEndian(data.subarray(offset + 3, start), 8);
    const name = SHORT_NAMES[id];
    if (name !== undefined) yield { name, data: data.subarray(start, offset) };
  }
}

function* longFrames(data: Uint8Array, version: number, isUnsynchronized: boolean): Generator<Frame> {
  const bits = version === 4 && hasPaddedSizes(data) ? 7 : 8;
  let growth = MAX_GROWTH_BYTES;
  for (let offset = 0; offset + HEADER_SIZE <= data.length; ) {
    const name = latin1(data.subarray(offset, offset + 4));
    if (name === '\0\0\0\0') return;
    const size = bigEndian(data.subarray(offset + 4, offset + 8), bits);
    const flags = data[offset + 9] ?? 0;
    const start = offset + HEADER_SIZE;
    offset = start + size;
    if (!name.startsWith('T')) continue;
    const stored = data.subarray(start, offset);
    const content = contentOf(stored, { flags, version, isUnsynchronized, limit: stored.length + growth });
    growth -= Math.max(0, (content?.length ?? 0) - stored.length);
    if (content !== undefined && size > 0) yield { name, data: content };
  }
}

/** Old versions of iTunes wrote sizes of eight bits in each byte: then the frames meet only that way. */
function hasPaddedSizes(data: Uint8Array): boolean {
  const known = (bits: number): number => {
    let count = 0;
    for (let offset = 0; offset + HEADER_SIZE < data.length; count += 1) {
      if (!/^[A-Z]{3}[A-Z0-9]$/.test(latin1(data.subarray(offset, offset + 4)))) break;
      offset += HEADER_SIZE + bigEndian(data.subarray(offset + 4, offset + 8), bits);
    }
    return count;
  };
  return known(7) >= known(8);
}

interface FrameStorage {
  readonly flags: number;
  readonly version: number;
  readonly isUnsynchronized: boolean;
  /** Of the bytes of a compressed frame. */
  readonly limit: number;
}

/** Undefined for an encrypted, damaged or too large frame. */
function contentOf(
  data: Uint8Array,
  { flags, version, isUnsynchronized, limit }: FrameStorage,
): Uint8Array | undefined {
  const isNew = version === 4;
  const isCompressed = (flags & (isNew ? 0x08 : 0x80)) !== 0;
  if (flags & (isNew ? 0x04 : 0x40)) return undefined;
  const plain = isCompressed || (isNew && flags & 0x01) ? data.subarray(4) : data;
  const content = isNew && (flags & 0x02 || isUnsynchronized) ? synchronized(plain) : plain;
  try {
    return isCompressed ? inflateSync(content, { maxOutputLength: Math.max(1, limit) }) : content;
  } catch {
    return undefined;
  }
}

/** The texts of a frame, which zeros separate; undefined if the bytes do not fit the encoding. */
function textsOf(data: Uint8Array): readonly string[] | undefined {
  const encoding = data[0];
  const text = data.subarray(1);
  if (encoding === 0) return separated(latin1(text));
  try {
    if (encoding === 3)
      return separated(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(text));
    const even = text.subarray(0, text.length - (text.length % 2));
    if (encoding === 2) return separated(new TextDecoder('utf-16be').decode(even));
    return encoding === 1 ? utf16Texts(even) : undefined;
  } catch {
    return undefined;
  }
}

/** A zero at the end is no separator. */
const separated = (text: string): readonly string[] => text.replace(/\0$/, '').split('\0');

/** Each text has its own mark of the order of bytes. */
function utf16Texts(bytes: Uint8Array): readonly string[] {
  const isBig = bytes[0] === 0xfe;
  const text = new TextDecoder(isBig ? 'utf-16be' : 'utf-16le').decode(bytes);
  return separated(text).map(each => each.replace(/^\ufeff/, ''));
}

const TRAILER_SIZE = 128;

/** The tag of version 1 at the end of a file. */
function readTrailer(bytes: Uint8Array): Map<string, readonly string[]> | undefined {
  if (bytes.length < TRAILER_SIZE) return undefined;
  const data = bytes.subarray(bytes.length - TRAILER_SIZE);
  if (!startsWith(data, 'TAG')) return undefined;
  const field = (start: number, end: number): string =>
    latin1(data.subarray(start, end)).replace(/\0.*$/s, '').trim();
  const [track = 0, genre = 255] = data.subarray(126);
  const hasTrack = data[125] === 0 && track !== 0;
  const fields: readonly (readonly [string, string])[] = [
    ['TIT2', field(3, 33)],
    ['TPE1', field(33, 63)],
    ['TALB', field(63, 93)],
    ['TYER', field(93, 97)],
    ['TRCK', hasTrack ? `${track}` : ''],
    ['TCON', genre === 255 ? '' : `${genre}`],
  ];
  return new Map(fields.filter(([, text]) => text !== '').map(([name, text]) => [name, [text]]));
}

/** Version 2.4 has one frame for the date and the time, and one for the date of the original. */
function upgraded(frames: Map<string, readonly string[]>): Id3Frames {
  const [year, date, time] = ['TYER', 'TDAT', 'TIME'].map(name => frames.get(name)?.[0] ?? '');
  const years = /^(\d{4})(-\d{2}-\d{2})?$/.exec(year ?? '');
  if (years && !frames.has('TDRC')) {
    const dayMonth = /^(\d{2})(\d{2})$/.exec(date ?? '');
    const day = dayMonth ? `-${dayMonth[2]}-${dayMonth[1]}` : (years[2] ?? '');
    const hours = /^(\d{2})(\d{2})$/.exec(time ?? '');
    frames.set('TDRC', [`${years[1]}${day}${day !== '' && hours ? `T${hours[1]}:${hours[2]}:00` : ''}`]);
  }
  const original = frames.get('TORY');
  if (original && !frames.has('TDOR')) frames.set('TDOR', original);
  return frames;
}
