import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  demultiplexer,
  lineReader,
  type OutputChannel,
} from '../../../runtime/environments/docker/streams.ts';

const framed = (kind: number, data: Uint8Array): Uint8Array => {
  const header = Buffer.alloc(8);
  header[0] = kind;
  header.writeUInt32BE(data.length, 4);
  return Buffer.concat([header, data]);
};

/** Splits bytes into pieces of these lengths. */
const cut = (bytes: Uint8Array, lengths: readonly number[]): Uint8Array[] => {
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const length of lengths) {
    pieces.push(bytes.subarray(at, at + length));
    at += length;
  }
  return [...pieces, bytes.subarray(at)];
};

describe('headers of a stream', () => {
  test('each channel is decoded in order from pieces of any size', () => {
    const frame = fc.tuple(fc.constantFrom(1, 2), fc.uint8Array({ maxLength: 40 }));
    fc.assert(
      fc.property(
        fc.array(frame, { maxLength: 12 }),
        fc.array(fc.nat(30), { maxLength: 30 }),
        (frames, cuts) => {
          const received: Record<OutputChannel, number[]> = { output: [], errors: [] };
          const take = demultiplexer((channel, data) => received[channel].push(...data));
          const whole = Buffer.concat(frames.map(([kind, data]) => framed(kind, data)));
          for (const piece of cut(whole, cuts)) take(piece);
          const sent = (wanted: number) =>
            frames.flatMap(([kind, data]) => (kind === wanted ? [...data] : []));
          expect(received).toEqual({ output: sent(1), errors: sent(2) });
        },
      ),
    );
  });

  test('data is emitted before its frame is complete', () => {
    const received: number[] = [];
    const take = demultiplexer((_, data) => received.push(...data));
    take(framed(1, Uint8Array.of(1, 2, 3)).subarray(0, 10));
    expect(received).toEqual([1, 2]);
  });

  test('data without a header is an error that contains it', () => {
    const take = demultiplexer(() => {});
    expect(() => take(Buffer.from('HTTP/1.1 400 Bad'))).toThrow("'485454502f312e31' is not a header");
  });
});

test('lines are read whole from pieces of any size, with characters of several bytes', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ text: fc.string({ unit: 'grapheme' }) })),
      fc.array(fc.nat(9)),
      (values, cuts) => {
        const received: unknown[] = [];
        const take = lineReader(1 << 20, line => received.push(JSON.parse(line ?? '')));
        const bytes = Buffer.from(values.map(value => `${JSON.stringify(value)}\r\n`).join(''));
        for (const piece of cut(bytes, cuts)) take(piece);
        expect(received).toEqual(values);
      },
    ),
  );
});
