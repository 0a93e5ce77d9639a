// Reads TAR archives: the format of POSIX, and the long names of GNU.

export class TarError extends Error {
  override readonly name = 'TarError';
}

const BLOCK = 512;
const FILE = '0';
const FOLDER = '5';
const LONG_NAME = 'L';
const EXTENSION = 'x';

/** The files of an archive by path; folders end in a slash and have no bytes. */
export function readTar(bytes: Uint8Array): ReadonlyMap<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  let longName: string | undefined;
  for (let offset = 0; offset + BLOCK <= bytes.length; ) {
    const header = bytes.subarray(offset, offset + BLOCK);
    if (header.every(byte => byte === 0)) break;
    if (!hasChecksum(header)) throw new TarError('The bytes are not a TAR archive, or it is damaged.');
    const size = octal(header, 124, 12);
    if (!Number.isSafeInteger(size) || size < 0)
      throw new TarError(`The TAR archive has a file of ${size} bytes. It is damaged: replace it.`);
    const start = offset + BLOCK;
    const content = bytes.subarray(start, start + size);
    if (content.length < size) throw new TarError('The TAR archive ends within a file.');
    const type = text(header, 156, 1) || FILE;
    if (type === LONG_NAME) longName = text(content, 0, size);
    else if (type === EXTENSION) longName = pathOf(content) ?? longName;
    else {
      const name = longName ?? shortName(header);
      if (type === FILE) files.set(name, content);
      if (type === FOLDER) files.set(name.endsWith('/') ? name : `${name}/`, new Uint8Array());
      longName = undefined;
    }
    offset = start + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}

function text(bytes: Uint8Array, start: number, length: number): string {
  const field = bytes.subarray(start, start + length);
  const end = field.indexOf(0);
  return new TextDecoder().decode(end < 0 ? field : field.subarray(0, end));
}

const octal = (header: Uint8Array, start: number, length: number): number =>
  Number.parseInt(text(header, start, length).trim() || '0', 8);

const shortName = (header: Uint8Array): string => {
  const prefix = text(header, 257, 5) === 'ustar' ? text(header, 345, 155) : '';
  const name = text(header, 0, 100);
  return prefix === '' ? name : `${prefix}/${name}`;
};

/** The sum of the header's bytes, with the field of the sum itself as spaces. */
function hasChecksum(header: Uint8Array): boolean {
  const sum = header.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 32 : byte), 0);
  return sum === octal(header, 148, 8);
}

const pathOf = (content: Uint8Array): string | undefined =>
  /^\d+ path=(.*)$/m.exec(new TextDecoder().decode(content))?.[1];
