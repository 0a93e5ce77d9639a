// Reads a tar archive as a stream: the ustar format with the long names of pax and GNU tar, which the archives of Git hosts use.

const BLOCK = 512;

export interface TarFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Yields the regular files. Links, devices and folders are skipped. Throws if the archive is damaged or cut off. */
export async function* tarFiles(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TarFile, void> {
  const reader = new BlockReader(chunks);
  /** From a header of its own, for the entry after it. */
  let longName: string | undefined;
  for (;;) {
    const header = await reader.take(BLOCK);
    if (header === undefined) throw damaged('it ends without its end mark');
    if (header.every(byte => byte === 0)) return;
    const { name, size, type } = parseHeader(header);
    const padded = Math.ceil(size / BLOCK) * BLOCK;
    const body = await reader.take(padded);
    if (body === undefined) throw damaged(`it ends within ${name}`);
    const bytes = body.subarray(0, size);
    if (type === 'x') longName = paxPath(bytes) ?? longName;
    else if (type === 'L') longName = text(bytes);
    else {
      if (type === '0' || type === '') yield { name: longName ?? name, bytes };
      if (type !== 'g') longName = undefined;
    }
  }
}

interface Header {
  readonly name: string;
  readonly size: number;
  readonly type: string;
}

function parseHeader(block: Uint8Array): Header {
  const field = (start: number, length: number): string => text(block.subarray(start, start + length));
  const octal = (start: number, length: number): number =>
    Number.parseInt(field(start, length).trim() || '0', 8);
  const stored = octal(148, 8);
  let sum = 0;
  // The checksum counts its own field as spaces.
  for (let index = 0; index < BLOCK; index++) sum += index >= 148 && index < 156 ? 0x20 : (block[index] ?? 0);
  if (stored !== sum) throw damaged('the checksum of a header is wrong');
  const size = octal(124, 12);
  if (!(size >= 0)) throw damaged('a file has no size');
  const prefix = field(257, 5) === 'ustar' ? field(345, 155) : '';
  const name = field(0, 100);
  return { name: prefix === '' ? name : `${prefix}/${name}`, size, type: field(156, 1) };
}

/** Lines of the form "LENGTH KEY=VALUE". */
const paxPath = (bytes: Uint8Array): string | undefined =>
  /^\d+ path=(.*)$/m.exec(new TextDecoder().decode(bytes))?.[1];

/** Up to the first zero. */
function text(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(end === -1 ? bytes : bytes.subarray(0, end));
}

const damaged = (how: string): RangeError =>
  new RangeError(`The archive is damaged: ${how}. Download it again.`);

/** Cuts a stream of chunks into pieces of the asked sizes. */
class BlockReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Undefined if the stream ends before. */
  async take(size: number): Promise<Uint8Array | undefined> {
    const parts = [this.#rest];
    let length = this.#rest.length;
    while (length < size) {
      const next = await this.#chunks.next();
      if (next.done === true) return undefined;
      parts.push(next.value);
      length += next.value.length;
    }
    const all = parts.length === 1 ? this.#rest : Buffer.concat(parts);
    this.#rest = all.subarray(size);
    return all.subarray(0, size);
  }
}
