import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  ENCODING,
  encode,
  FENCE,
  type RfbListener,
  RfbParser,
} from '../../../../runtime/environments/docker/rfb/messages.ts';
import { beginning, fence, GREETING, painted, pieces, pixel, u16, u32, update } from './server.ts';

/** Records all messages. */
function listening() {
  const calls: unknown[] = [];
  const record =
    (name: string) =>
    (...what: unknown[]): void => {
      calls.push([name, ...what]);
    };
  const listener: RfbListener = {
    version: record('version'),
    security: record('security'),
    refused: record('refused'),
    welcome: record('welcome'),
    start: record('start'),
    row: (x, y, width, bytes, at) => record('row')(x, y, [...bytes.subarray(at, at + width * 4)]),
    copy: record('copy'),
    resized: record('resized'),
    updated: record('updated'),
    fence: (flags, payload) => record('fence')(flags, [...payload]),
    continuous: record('continuous'),
  };
  return { calls, listener };
}

function parsed(bytes: Uint8Array, lengths: readonly number[] = []): unknown[] {
  const { calls, listener } = listening();
  const parser = new RfbParser(listener);
  for (const piece of pieces(bytes, lengths)) parser.push(piece);
  return calls;
}

const SIZE = { width: 40, height: 30 };
const START = [...GREETING, ...beginning(SIZE)];
const begun = (...more: readonly number[]): Uint8Array => Uint8Array.from([...START, ...more]);
/** The messages after the handshake. */
const after = (...more: readonly number[]): unknown[] => parsed(begun(...more)).slice(4);

const EVERYTHING = begun(
  ...update(painted({ x: 1, y: 2, width: 3, height: 2 }, 0x112233)),
  2,
  ...fence(FENCE.request, [1, 2, 3]),
  ...update(
    { box: { x: 4, y: 4, width: 5, height: 5 }, encoding: ENCODING.copy, bytes: [...u16(9), ...u16(8)] },
    {
      box: { x: 0, y: 0, width: 9, height: 2 },
      encoding: ENCODING.pointer,
      bytes: Array(9 * 2 * 4 + 4).fill(7),
    },
  ),
  150,
  ...[3, 0, 0, 0, 0, 0, 0, 5, ...Buffer.from('words')],
  ...[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0],
  ...update({ box: { x: 0, y: 0, width: 20, height: 10 }, encoding: ENCODING.resized, bytes: [] }),
);

test('pieces of any size give the same messages', () => {
  const whole = parsed(EVERYTHING);
  expect(whole).toHaveLength(4 + 3 + 1 + 2 + 1 + 2);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 }), lengths => {
      expect(parsed(EVERYTHING, lengths)).toEqual(whole);
    }),
  );
});

test('the handshake is version, security and size', () => {
  expect(parsed(begun())).toEqual([
    ['version', 'RFB 003.008\n'],
    ['security', [1, 16]],
    ['welcome'],
    ['start', SIZE],
  ]);
});

test('an update emits raw pixels by row, copies with their source, and its end', () => {
  const raw = painted({ x: 1, y: 2, width: 1, height: 2 }, 0x112233);
  const copy = { box: { x: 4, y: 4, width: 5, height: 5 }, encoding: ENCODING.copy, bytes: [0, 9, 0, 8] };
  expect(after(...update(raw, copy))).toEqual([
    ['row', 1, 2, pixel(0x112233)],
    ['row', 1, 3, pixel(0x112233)],
    ['copy', copy.box, { x: 9, y: 8 }],
    ['updated', true],
  ]);
});

test('the image of the pointer is skipped', () => {
  const box = { x: 0, y: 0, width: 9, height: 2 };
  const bytes = Array(9 * 2 * 4 + 2 * 2).fill(7);
  expect(after(...update({ box, encoding: ENCODING.pointer, bytes }), 150)).toEqual([
    ['updated', false],
    ['continuous'],
  ]);
});

test('a fence is emitted with its flags and payload', () => {
  expect(after(...fence(FENCE.request | FENCE.before, [1, 2]))).toEqual([
    ['fence', FENCE.request + FENCE.before, [1, 2]],
  ]);
});

test('a refusal is emitted with its reason and ends the connection', () => {
  const { calls, listener } = listening();
  const bytes = Buffer.concat([GREETING, Buffer.from([0, 0, 0, 0, 4]), Buffer.from('full')]);
  expect(() => new RfbParser(listener).push(bytes)).toThrow('refused');
  expect(calls.at(-1)).toEqual(['refused', 'full']);
});

test('a refusal in RFB 3.3, as of a blocked client, keeps its reason', () => {
  const { calls, listener } = listening();
  const reason = Buffer.from('Too many security failures');
  const bytes = Buffer.concat([
    Buffer.from('RFB 003.003\n'),
    Buffer.from([...u32(0), ...u32(reason.length)]),
    reason,
  ]);
  expect(() => new RfbParser(listener).push(bytes)).toThrow('refused');
  expect(calls.at(-1)).toEqual(['refused', 'Too many security failures']);
});

test('a server with only RFB 3.3 is an error', () => {
  const { listener } = listening();
  const bytes = Buffer.concat([Buffer.from('RFB 003.003\n'), Buffer.from(u32(1))]);
  expect(() => new RfbParser(listener).push(bytes)).toThrow('only RFB 3.3');
});

test.each([
  ['an unknown message', [77], 'unknown message of type 77'],
  [
    'an encoding that the client did not request',
    update({ box: { x: 0, y: 0, width: 1, height: 1 }, encoding: 16, bytes: [] }),
    'encoding 16',
  ],
  [
    'a screen without pixels',
    update({ box: { x: 0, y: 0, width: 0, height: 9 }, encoding: ENCODING.resized, bytes: [] }),
    '0x9',
  ],
])('%s is an error', (_, bytes, message) => {
  const { listener } = listening();
  expect(() => new RfbParser(listener).push(begun(...bytes))).toThrow(message);
});

test('client messages are encoded as the protocol requires', () => {
  expect([...encode.pointer({ x: 258, y: 3 }, 5)]).toEqual([5, 5, 1, 2, 0, 3]);
  expect([...encode.key(0x0100_20ac, true)]).toEqual([4, 1, 0, 0, 1, 0, 0x20, 0xac]);
  expect([...encode.encodings([1, -223])]).toEqual([2, 0, 0, 2, 0, 0, 0, 1, 255, 255, 255, 33]);
  expect([...encode.request({ x: 1, y: 2, width: 3, height: 4 }, true)]).toEqual([
    3, 1, 0, 1, 0, 2, 0, 3, 0, 4,
  ]);
  expect([...encode.continuous(true, { x: 1, y: 2, width: 3, height: 4 })]).toEqual([
    150, 1, 0, 1, 0, 2, 0, 3, 0, 4,
  ]);
  expect([...encode.fence(FENCE.request | FENCE.before, Uint8Array.of(9))]).toEqual(fence(0x8000_0001, [9]));
  expect(encode.pixelFormat()).toHaveLength(20);
  expect([...encode.pixelFormat()].slice(0, 17)).toEqual([
    0, 0, 0, 0, 32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 16, 8, 0,
  ]);
});
