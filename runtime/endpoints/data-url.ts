// PNG images as data URLs, in ASCII.

const PREFIX = 'data:image/png;base64,';

export function dataUrlOf({ buffer, byteOffset, byteLength }: Uint8Array): Uint8Array {
  const base64 = Buffer.from(buffer, byteOffset, byteLength).toString('base64');
  const url = Buffer.allocUnsafe(PREFIX.length + base64.length);
  url.write(PREFIX, 'latin1');
  url.write(base64, PREFIX.length, 'latin1');
  return url;
}

export const pngOfDataUrl = ({ buffer, byteOffset, byteLength }: Uint8Array): Uint8Array =>
  Buffer.from(Buffer.from(buffer, byteOffset, byteLength).toString('latin1', PREFIX.length), 'base64');
