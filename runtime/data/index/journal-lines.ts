// Reads what was added to a journal since some place in it, part by part: a journal is longer than what fits into memory at once.
// Lines that cannot be read are passed over, and told.

import { closeSync, openSync, readSync, statSync } from 'node:fs';

export interface LinesRead {
  /** Lines that were taken. */
  readonly count: number;
  /** Where the next reading begins: what follows the last whole line is read then. */
  readonly end: number;
  readonly complaints: readonly string[];
}

const PART = 1 << 20;
const NEWLINE = 0x0a;

/** As long as it was, or longer. What is shorter is not the journal that was read before; none at all is one without any line. */
export function isAsLong(path: string, as: number): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) >= as;
}

export function readLines<T>(
  path: string,
  start: number,
  parse: (value: unknown) => T | undefined,
  take: (record: T) => void,
): LinesRead {
  const complaints: string[] = [];
  let count = 0;
  let end = start;
  for (const line of linesOf(path, start)) {
    end += line.length + 1;
    const text = line.toString('utf8');
    const record = parse(parsed(text));
    if (record === undefined)
      complaints.push(`'${path}' has a line that is passed over: ${text.slice(0, 100)}`);
    else {
      take(record);
      count += 1;
    }
  }
  return { count, end, complaints };
}

/** Whole lines only, without what ends them. */
function* linesOf(path: string, start: number): Generator<Buffer> {
  const part = Buffer.alloc(PART);
  let begun = Buffer.alloc(0);
  for (const length of partsOf(path, start, part)) {
    const bytes = Buffer.concat([begun, part.subarray(0, length)]);
    let from = 0;
    for (let to = bytes.indexOf(NEWLINE); to >= 0; to = bytes.indexOf(NEWLINE, from)) {
      yield bytes.subarray(from, to);
      from = to + 1;
    }
    begun = bytes.subarray(from);
  }
}

/** Fills the part again and again, and says how far. */
function* partsOf(path: string, start: number, part: Buffer): Generator<number> {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return;
  const file = openSync(path, 'r');
  try {
    let at = start;
    for (;;) {
      const length = readSync(file, part, 0, part.length, at);
      if (length === 0) return;
      at += length;
      yield length;
    }
  } finally {
    closeSync(file);
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
