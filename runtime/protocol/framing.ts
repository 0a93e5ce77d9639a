// The format of binary messages: the header's length (4 bytes, big-endian), a JSON header, and the payload.

const MAX_HEADER_BYTES = 4096;

export class FrameError extends Error {
  override readonly name = 'FrameError';
}

export function framed(header: object, payload: Uint8Array): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(JSON.stringify(header));
  if (text.length > MAX_HEADER_BYTES) {
    throw new FrameError(
      `The header of a binary message has ${text.length} bytes; the maximum is ${MAX_HEADER_BYTES}.`,
    );
  }
  const frame = new Uint8Array(4 + text.length + payload.length);
  new DataView(frame.buffer).setUint32(0, text.length);
  frame.set(text, 4);
  frame.set(payload, 4 + text.length);
  return frame;
}

export interface Unframed {
  readonly header: unknown;
  /** A view of the message, not a copy. */
  readonly payload: Uint8Array<ArrayBuffer>;
}

export function unframed(frame: ArrayBuffer): Unframed {
  if (frame.byteLength < 4)
    throw new FrameError(`A binary message of ${frame.byteLength} bytes is too short for a header.`);
  const length = new DataView(frame).getUint32(0);
  if (length > MAX_HEADER_BYTES || 4 + length > frame.byteLength) {
    throw new FrameError(
      `A binary message of ${frame.byteLength} bytes declares a header of ${length} bytes; the maximum is ${MAX_HEADER_BYTES}.`,
    );
  }
  return { header: headerOf(new Uint8Array(frame, 4, length)), payload: new Uint8Array(frame, 4 + length) };
}

function headerOf(bytes: Uint8Array): unknown {
  const text = new TextDecoder().decode(bytes);
  try {
    return JSON.parse(text);
  } catch {
    throw new FrameError(`The header ${JSON.stringify(text)} of a binary message is not JSON.`);
  }
}
