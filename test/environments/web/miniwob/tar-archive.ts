// Makes tar archives for tests.

import { gzipSync } from 'node:zlib';

interface Entry {
  readonly name: string;
  readonly text?: string;
  /** 0: file, 5: folder, 2: link, x and g: headers of pax, L: a long name of GNU tar. */
  readonly type?: string;
}

const BLOCK = 512;

function header(name: string, size: number, type: string): Buffer {
  const block = Buffer.alloc(BLOCK);
  block.write(name, 0, 100);
  block.write('0000644\0', 100);
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  block.write(' '.repeat(8), 148);
  block.write(type, 156);
  block.write('ustar\u000000', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

export function tarOf(entries: readonly Entry[]): Buffer {
  const blocks = entries.flatMap(({ name, text = '', type = '0' }) => {
    const body = Buffer.from(text);
    return [header(name, body.length, type), body, Buffer.alloc((BLOCK - (body.length % BLOCK)) % BLOCK)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}

export const archiveOf = (entries: readonly Entry[]): Buffer => gzipSync(tarOf(entries));

/** A line of a pax header. Its length counts itself. */
export function paxLine(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  const length = [2, 3, 4].find(digits => String(rest.length + digits).length === digits) ?? 0;
  return `${rest.length + length}${rest}`;
}
