// The data URLs of images, against those of Node.js.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pngDataUrl } from '../../../../runtime/agents/model/image/png-data-url.ts';
import { dataUrlOf } from '../../../../runtime/endpoints/data-url.ts';

const expectEqual = (bytes: Uint8Array): void => {
  expect(Buffer.from(pngDataUrl(bytes)).toString()).toBe(Buffer.from(dataUrlOf(bytes)).toString());
};

test('any bytes have the data URL that Node.js makes', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), expectEqual));
});

test('so have bytes with every letter of base64, and many of them', () => {
  expectEqual(Uint8Array.from({ length: 192 }, (_, at) => Math.imul(at, 0x9e3779b1) >>> 13));
  expectEqual(Uint8Array.from({ length: 1_000_001 }, (_, at) => Math.imul(at, 0x9e3779b1) >>> 13));
});
