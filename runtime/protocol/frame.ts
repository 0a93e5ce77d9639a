// Binary messages: a length, a JSON header, and the payload. The header says what the payload is.

// As a namespace: the page's bundle then leaves out what it does not use.
import * as z from 'zod';
import type { Pixels } from '../contracts/screen.ts';

const HEADER_LIMIT = 4096;

const screenHeader = z.strictObject({
  kind: z.literal('screen'),
  /** One byte a channel, row by row. */
  layout: z.enum(['rgb', 'rgba']),
  width: z.int().min(1).max(0xffff),
  height: z.int().min(1).max(0xffff),
});

export type { Pixels } from '../contracts/screen.ts';

export class FrameError extends Error {
  override readonly name = 'FrameError';
}

export function encodeScreen({ layout, width, height, data }: Pixels): Uint8Array<ArrayBuffer> {
  const header = new TextEncoder().encode(JSON.stringify({ kind: 'screen', layout, width, height }));
  const frame = new Uint8Array(4 + header.length + data.length);
  new DataView(frame.buffer).setUint32(0, header.length);
  frame.set(header, 4);
  frame.set(data, 4 + header.length);
  return frame;
}

export function decodeScreen(frame: ArrayBuffer): Pixels {
  if (frame.byteLength < 4) throw new FrameError(`A frame of ${frame.byteLength} bytes has no header.`);
  const length = new DataView(frame).getUint32(0);
  if (length > HEADER_LIMIT || 4 + length > frame.byteLength) {
    throw new FrameError(`A frame of ${frame.byteLength} bytes says that its header has ${length}.`);
  }
  const { layout, width, height } = headerOf(new Uint8Array(frame, 4, length));
  const data = new Uint8Array(frame, 4 + length);
  if (data.length !== width * height * layout.length) {
    throw new FrameError(`A screen of ${width}x${height} came with ${data.length} bytes of ${layout}.`);
  }
  return { layout, width, height, data };
}

function headerOf(bytes: Uint8Array): z.infer<typeof screenHeader> {
  const text = new TextDecoder().decode(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new FrameError(`The header ${JSON.stringify(text)} of a frame is no JSON.`);
  }
  const parsed = screenHeader.safeParse(value);
  if (!parsed.success) throw new FrameError(`The header ${text} of a frame is that of no screen.`);
  return parsed.data;
}
