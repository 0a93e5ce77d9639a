// Reads the lines that were appended to a journal since an offset. It reads block by block, because a journal can exceed memory.

import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { parsedJson } from '../../core/json.ts';

export interface LinesRead {
  /** The number of valid lines. */
  readonly count: number;
  /** The offset after the last complete line, where the next read starts. */
  readonly end: number;
  /** One message per invalid line. */
  readonly complaints: readonly string[];
}

const BLOCK_BYTES = 1 << 20;
const NEWLINE = 0x0a;

/** Whether the journal still has the given length. A shorter file is not the journal that was read before. */
export const isAsLong = (path: string, length: number): boolean =>
  (statSync(path, { throwIfNoEntry: false })?.size ?? 0) >= length;

/** Calls `take` for each valid line, one after another. A missing journal is empty. */
export async function readLines<T>(
  path: string,
  start: number,
  parse: (value: unknown) => T | undefined,
  take: (record: T) => Promise<void>,
): Promise<LinesRead> {
  const complaints: string[] = [];
  let count = 0;
  let end = start;
  for (const line of linesOf(path, start)) {
    end += line.length + 1;
    const text = line.toString('utf8');
    const record = parse(parsedJson(text));
    if (record === undefined)
      complaints.push(`'${path}' has an invalid line, which was skipped: ${text.slice(0, 100)}`);
    else {
      await take(record);
      count += 1;
    }
  }
  return { count, end, complaints };
}

/** Complete lines, without their newlines. */
function* linesOf(path: string, start: number): Generator<Buffer> {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return;
  const file = openSync(path, 'r');
  try {
    const block = Buffer.alloc(BLOCK_BYTES);
    let rest = Buffer.alloc(0);
    for (let offset = start; ; ) {
      const length = readSync(file, block, 0, block.length, offset);
      if (length === 0) return;
      offset += length;
      const bytes = Buffer.concat([rest, block.subarray(0, length)]);
      let from = 0;
      for (let to = bytes.indexOf(NEWLINE); to >= 0; to = bytes.indexOf(NEWLINE, from)) {
        yield bytes.subarray(from, to);
        from = to + 1;
      }
      rest = bytes.subarray(from);
    }
  } finally {
    closeSync(file);
  }
}
