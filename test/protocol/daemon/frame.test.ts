import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeReplyFrame, encodeReplyFrame } from '../../../runtime/protocol/daemon/frame.ts';
import { FrameError, framed, unframed } from '../../../runtime/protocol/framing.ts';

const copied = (frame: Uint8Array): ArrayBuffer => Uint8Array.from(frame).buffer;

test('a frame survives encoding with any payload', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.uint8Array({ maxLength: 300 }), (id, payload) => {
      expect(decodeReplyFrame(copied(encodeReplyFrame({ id, payload })))).toEqual({ id, payload });
    }),
  );
});

test('any JSON object can be a header', () => {
  const header = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 5 });
  fc.assert(
    fc.property(header, fc.uint8Array(), (sent, payload) => {
      const wired: unknown = JSON.parse(JSON.stringify(sent));
      expect(unframed(copied(framed(sent, payload)))).toEqual({ header: wired, payload });
    }),
  );
});

test('a frame with an incomplete header is rejected', () => {
  const frame = encodeReplyFrame({ id: 12_345, payload: new Uint8Array(0) });
  for (let length = 0; length < frame.length; length++) {
    expect(() => decodeReplyFrame(copied(frame.subarray(0, length))), `${length}`).toThrow(FrameError);
  }
});

test('any bytes decode to a frame or throw a FrameError', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), bytes => {
      try {
        decodeReplyFrame(copied(bytes));
      } catch (error) {
        expect(error).toBeInstanceOf(FrameError);
      }
    }),
  );
});

test.each([[{}], [{ id: -1 }], [{ id: 1, kind: 'weights' }]])(
  'the header %j is refused by its words',
  header => {
    expect(() => decodeReplyFrame(copied(framed(header, new Uint8Array(1))))).toThrow(JSON.stringify(header));
  },
);

test('a header over the limit is rejected when it is encoded', () => {
  expect(() => framed({ text: 'x'.repeat(5000) }, new Uint8Array(0))).toThrow(/maximum is 4096/);
});
