// PNG images as data URLs, in ASCII.

export const DATA_URL_START = 'data:image/png;base64,';

export function dataUrlOf({ buffer, byteOffset, byteLength }: Uint8Array): Uint8Array {
  const base64 = Buffer.from(buffer, byteOffset, byteLength).toString('base64');
  const url = Buffer.allocUnsafe(DATA_URL_START.length + base64.length);
  url.write(DATA_URL_START, 'latin1');
  url.write(base64, DATA_URL_START.length, 'latin1');
  return url;
}

export const pngOfDataUrl = ({ buffer, byteOffset, byteLength }: Uint8Array): Uint8Array =>
  Buffer.from(
    Buffer.from(buffer, byteOffset, byteLength).toString('latin1', DATA_URL_START.length),
    'base64',
  );
