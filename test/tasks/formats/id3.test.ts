import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { soundFile } from '../../../runtime/bench/osworld/cases/sound-tags.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import { Id3Error, readId3 } from '../../../runtime/tasks/formats/id3/id3.ts';

test('every version and encoding gives the texts that were written', () => {
  const seen = new Set<number>();
  for (let seed = 0; seed < 60; seed++) {
    const bytes = soundFile({ TIT2: ['Été'], TPE1: ['One', 'Two'] }, seeded(seed));
    if (bytes[0] !== 0x49) continue;
    seen.add(bytes[3] ?? 0);
    const frames = readId3(bytes);
    expect(frames.get('TIT2')).toEqual(['Été']);
    expect(frames.get('TPE1')).toEqual(['One', 'Two']);
  }
  expect([...seen].sort()).toEqual([2, 3, 4]);
});

test('a tag at the end of the file counts, and the year becomes a date', () => {
  const trailer = new Uint8Array(228);
  trailer.set(new TextEncoder().encode('TAGSong'), 100);
  trailer.set(new TextEncoder().encode('1999'), 193);
  const frames = readId3(trailer);
  expect([frames.get('TIT2'), frames.get('TDRC')]).toEqual([['Song'], ['1999']]);
});

test('compressed texts are read up to a limit for the whole tag', () => {
  const frame = (name: string, bytes: number): Uint8Array => {
    const packed = deflateSync(Buffer.concat([Uint8Array.of(0), Buffer.alloc(bytes, name)]));
    const head = Buffer.alloc(14);
    head.write(name);
    head.writeUInt32BE(4 + packed.length, 4);
    head[9] = 0x80;
    head.writeUInt32BE(1 + bytes, 10);
    return Buffer.concat([head, packed]);
  };
  const body = Buffer.concat([
    frame('TIT2', 1000),
    frame('TALB', 5_000_000),
    frame('TPE1', 3_000_000),
    frame('TPE2', 3_000_000),
  ]);
  const size = [21, 14, 7, 0].map(bits => (body.length >> bits) & 127);
  const frames = readId3(Buffer.concat([Uint8Array.of(0x49, 0x44, 0x33, 3, 0, 0, ...size), body]));
  expect([...frames].map(([name, texts]) => [name, texts.map(text => text.length)])).toEqual([
    ['TIT2', [1000]],
    ['TPE1', [3_000_000]],
  ]);
});

test('a file without a tag, and a truncated tag, are Id3Errors', () => {
  expect(() => readId3(new Uint8Array(500))).toThrow(Id3Error);
  expect(() => readId3(Uint8Array.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 1, 0]))).toThrow(Id3Error);
});
