// Fetches a file over HTTP into a folder. A later call continues an unfinished file if the server supports it and its file is the same.

import { open, rm, stat, writeFile } from 'node:fs/promises';
import type { Clock } from '../../../core/clock.ts';
import { type Deadline, withDeadline } from '../../../core/deadline.ts';
import { sentenceOf } from '../../../core/errors.ts';
import { exists, textIn } from '../../../core/existing-file.ts';

export interface ArchiveOptions {
  readonly url: string;
  readonly file: string;
  /** Rejects when the file is larger. */
  readonly maxBytes: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** A server that sends nothing for so long is not waited for. */
const IDLE_MS = 60_000;

/** Resolves when the file is complete. After a failure it keeps what arrived, for the next call. */
export async function fetchArchive(options: ArchiveOptions): Promise<void> {
  const { url, file, signal } = options;
  try {
    await fetchInto(options);
  } catch (error) {
    signal.throwIfAborted();
    throw new Error(
      `${url} cannot be downloaded into ${file}: ${reasonOf(error)} Check the network, then run the command again: it continues where it stopped.`,
      { cause: error },
    );
  }
}

async function fetchInto({ url, file, maxBytes, clock, signal }: ArchiveOptions): Promise<void> {
  const stop = new AbortController();
  const aborted = AbortSignal.any([signal, stop.signal]);
  const deadline: Deadline = { what: `The next part of ${url}`, ms: IDLE_MS, clock, signal: aborted };
  // The server's name of the content that the unfinished file is a part of.
  const tagFile = `${file}.etag`;
  const have = (await exists(file)) ? (await stat(file)).size : 0;
  const tag = (await textIn(tagFile)) ?? '';
  const headers = have > 0 && tag !== '' ? { range: `bytes=${have}-`, 'if-range': tag } : undefined;
  try {
    const response = await withDeadline(
      fetch(url, { signal: aborted, ...(headers && { headers }) }),
      deadline,
    );
    // The file is complete: nothing follows its last byte.
    if (headers !== undefined && response.status === 416) return;
    if (!response.ok || response.body === null) throw new Error(`the server answered ${response.status}`);
    const isRest = response.status === 206;
    if (!isRest) {
      await rm(file, { force: true });
      await writeFile(tagFile, response.headers.get('etag') ?? '');
    }
    await append(response.body, file, { total: isRest ? have : 0, maxBytes, deadline });
  } finally {
    // Ends the connection, in every case.
    stop.abort();
  }
}

interface AppendOptions {
  readonly total: number;
  readonly maxBytes: number;
  readonly deadline: Deadline;
}

async function append(
  body: ReadableStream<Uint8Array>,
  file: string,
  { total, maxBytes, deadline }: AppendOptions,
): Promise<void> {
  const reader = body.getReader();
  const target = await open(file, 'a');
  try {
    for (let length = total; ; ) {
      const { done, value } = await withDeadline(reader.read(), deadline);
      if (done) return;
      length += value.length;
      if (length > maxBytes)
        throw new Error(`it is larger than ${maxBytes} bytes, so it is not the expected file`);
      await target.write(value);
    }
  } finally {
    await target.close();
  }
}

/** `fetch` hides the reason in the cause. */
const reasonOf = (error: unknown): string =>
  sentenceOf(error instanceof TypeError && error.cause !== undefined ? error.cause : error);
