// Files as a tar, as an engine takes the folder that it builds from. Pure: the same files give the same bytes.

export interface TarFile {
  /** With slashes, relative. */
  readonly path: string;
  readonly data: Uint8Array;
  readonly isProgram: boolean;
}

const BLOCK = 512;
const LONGEST_NAME = 100;
const LONGEST_FOLDER = 155;

export function tarOf(files: readonly TarFile[]): Buffer {
  const pieces = files.flatMap(file => {
    const rest = file.data.length % BLOCK;
    return [header(file), file.data, Buffer.alloc(rest === 0 ? 0 : BLOCK - rest)];
  });
  return Buffer.concat([...pieces, Buffer.alloc(2 * BLOCK)]);
}

/** The header of the format that POSIX calls ustar. */
function header({ path, data, isProgram }: TarFile): Buffer {
  const block = Buffer.alloc(BLOCK);
  const { folder, name } = parted(path);
  block.write(name, 0);
  block.write(octal(isProgram ? 0o755 : 0o644, 8), 100);
  block.write(octal(0, 8), 108);
  block.write(octal(0, 8), 116);
  block.write(octal(data.length, 12), 124);
  block.write(octal(0, 12), 136);
  block.write(' '.repeat(8), 148);
  block.write('0', 156);
  block.write('ustar\0', 257);
  block.write('00', 263);
  block.write(folder, 345);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

const octal = (number: number, width: number): string => `${number.toString(8).padStart(width - 1, '0')}\0`;

/** A long path goes into two fields, cut at a slash. */
function parted(path: string): { readonly folder: string; readonly name: string } {
  if (Buffer.byteLength(path) <= LONGEST_NAME) return { folder: '', name: path };
  const slash = path.indexOf('/', path.length - LONGEST_NAME - 1);
  const [folder, name] = [path.slice(0, slash), path.slice(slash + 1)];
  if (slash < 0 || Buffer.byteLength(folder) > LONGEST_FOLDER || Buffer.byteLength(name) > LONGEST_NAME)
    throw new RangeError(`'${path}' is too long for a tar: shorten it.`);
  return { folder, name };
}
