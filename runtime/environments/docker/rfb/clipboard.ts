// The messages that put a text into the clipboard of a desktop. RFB's own message has Latin-1 only, so the text goes through the
// extension of TigerVNC: an announcement, and the text as UTF-8.

import { deflateSync } from 'node:zlib';

const UTF8 = 1;
const NOTIFY = 1 << 27;
const PROVIDE = 1 << 28;

export function clipboardMessage(text: string): Uint8Array {
  // RFB ends lines with \r\n, and a text with a zero.
  const bytes = Buffer.from(`${text.replaceAll(/\r?\n/g, '\r\n')}\0`);
  const packed = deflateSync(Buffer.concat([word(bytes.length), bytes]));
  return Buffer.concat([extended(UTF8 | NOTIFY), extended(UTF8 | PROVIDE, packed)]);
}

/** A negative length marks a message of the extension. */
function extended(flags: number, content: Uint8Array = new Uint8Array()): Uint8Array {
  const length = Buffer.alloc(4);
  length.writeInt32BE(-4 - content.length);
  return Buffer.concat([Uint8Array.of(6, 0, 0, 0), length, word(flags), content]);
}

function word(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
