// Finds the JPEG file of an image in a PDF file. MuPDF extracts it as it is; the pixels that the PDF library decodes differ by rounding.

/** An object number, and its generation if that is not 0, as the PDF library writes a reference. */
const REFERENCE = /^(\d+)R(\d*)$/;

/**
 * The JPEG file that is the stream of the object `reference`. `file` has one character for each byte. Undefined if the stream is anything
 * else, such as a JPEG file that is compressed again or encrypted.
 */
export function jpegStream(file: string, reference: string): Uint8Array | undefined {
  const [, number, generation] = REFERENCE.exec(reference) ?? [];
  if (number === undefined) return undefined;
  const header = new RegExp(String.raw`(?<!\d)${number}\s+${generation || 0}\s+obj\b`, 'g');
  // Of several objects with one number the last one counts.
  const found = [...file.matchAll(header)].at(-1);
  if (found === undefined) return undefined;
  const stream = /\b(?:stream\r?\n|endobj\b)/g;
  stream.lastIndex = found.index;
  if (!stream.exec(file)?.[0].startsWith('stream')) return undefined;
  const start = stream.lastIndex;
  const end = file.indexOf('endstream', start);
  return file.startsWith('\xff\xd8', start) && end >= 0
    ? Buffer.from(file.slice(start, end), 'latin1')
    : undefined;
}
