// Binary messages: a length, a JSON header, and the payload. The header says what the payload is; what that is, is not known here.

const HEADER_LIMIT = 4096;

export class FrameError extends Error {
  override readonly name = 'FrameError';
}

export function framed(header: object, payload: Uint8Array): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(JSON.stringify(header));
  if (text.length > HEADER_LIMIT) {
    throw new FrameError(`A frame's header has ${text.length} bytes, and at most ${HEADER_LIMIT} are read.`);
  }
  const frame = new Uint8Array(4 + text.length + payload.length);
  new DataView(frame.buffer).setUint32(0, text.length);
  frame.set(text, 4);
  frame.set(payload, 4 + text.length);
  return frame;
}

export interface Unframed {
  readonly header: unknown;
  /** A view of the frame, not a copy. */
  readonly payload: Uint8Array<ArrayBuffer>;
}

export function unframed(frame: ArrayBuffer): Unframed {
  if (frame.byteLength < 4) throw new FrameError(`A frame of ${frame.byteLength} bytes has no header.`);
  const length = new DataView(frame).getUint32(0);
  if (length > HEADER_LIMIT || 4 + length > frame.byteLength) {
    throw new FrameError(`A frame of ${frame.byteLength} bytes says that its header has ${length}.`);
  }
  return { header: headerOf(new Uint8Array(frame, 4, length)), payload: new Uint8Array(frame, 4 + length) };
}

function headerOf(bytes: Uint8Array): unknown {
  const text = new TextDecoder().decode(bytes);
  try {
    return JSON.parse(text);
  } catch {
    throw new FrameError(`The header ${JSON.stringify(text)} of a frame is no JSON.`);
  }
}
