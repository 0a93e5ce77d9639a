// One request to a store of blobs, at a signed address. An address contains a secret after its '?', so no error repeats that part.

import type { Clock } from '../core/clock.ts';
import { withDeadline } from '../core/deadline.ts';
import { causeOf, sentenceOf } from '../core/errors.ts';
import { MAX_BLOB_BYTES } from './blobs.ts';

export interface TransferContext {
  readonly clock: Clock;
  /** Ends pending requests with its reason. */
  readonly signal: AbortSignal;
}

export interface StoreRequest {
  readonly method: 'GET' | 'PUT' | 'DELETE' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/** The store refuses: a repetition has the same result. */
export class StoreRefused extends Error {
  override readonly name = 'StoreRefused';
}

/** Enough for the largest one at 1 MB/s. */
const TIMEOUT_MS = 65_000;

const NOT_FOUND = 404;
/** Codes of a missing object. Some stores send 404 for a missing bucket or an unknown key too. */
const NO_OBJECT: ReadonlySet<string> = new Set(['', 'NoSuchKey']);
/** The request was too slow, or there are too many: statuses and codes. */
const TEMPORARY: ReadonlySet<number | string> = new Set([408, 429, 'RequestTimeout', 'OperationAborted']);
/** Codes of a temporary key that is refused. */
const KEY_ENDED: ReadonlySet<string> = new Set(['ExpiredToken', 'InvalidToken', 'TokenRefreshRequired']);

/** Undefined for an object that is to be read or deleted and is not there. Rejects with StoreRefused, or with another error that is worth a repetition. */
export async function requestStore(
  { method, url, headers = {}, body }: StoreRequest,
  { clock, signal }: TransferContext,
): Promise<Uint8Array | undefined> {
  const exchange = (over: AbortSignal) =>
    exchanged(url, {
      ...{ method, headers, redirect: 'manual', signal: over },
      // No blob is in shared memory.
      ...(body !== undefined && { body: body as Uint8Array<ArrayBuffer> }),
    });
  const what = `${method} at the store of blobs`;
  let reply: StoreReply;
  try {
    reply = await withDeadline(exchange, { what, ms: TIMEOUT_MS, clock, signal });
  } catch (error) {
    signal.throwIfAborted();
    throw new Error(
      `The store of blobs at ${placeOf(url)} does not answer: ${sentenceOf(causeOf(error))} Check 'fabric.blobs.endpoint' in dartboard.json, and that no firewall is between.`,
      { cause: error },
    );
  }
  if (reply.status < 300) return reply.body;
  const code = codeIn(reply);
  if (method !== 'PUT' && reply.status === NOT_FOUND && NO_OBJECT.has(code)) return undefined;
  throw refusal(placeOf(url), reply.status, code);
}

interface StoreReply {
  readonly status: number;
  readonly body: Uint8Array;
}

async function exchanged(url: string, init: RequestInit): Promise<StoreReply> {
  const reply = await fetch(url, init);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of reply.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BLOB_BYTES) throw new RangeError(`it sent more than ${MAX_BLOB_BYTES} bytes`);
    chunks.push(chunk);
  }
  return { status: reply.status, body: Buffer.concat(chunks) };
}

/** The endpoint and the bucket. */
function placeOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}/${pathname.split('/')[1]}`;
}

/** Of the XML that stores send with a failure. */
const codeIn = ({ body }: StoreReply): string =>
  /<Code>([A-Za-z0-9]{1,100})<\/Code>/.exec(Buffer.from(body).toString('utf8'))?.[1] ?? '';

const MAY_WHAT = 'may list, read, write and delete objects of this bucket';

function refusal(place: string, status: number, code: string): Error {
  const answer = `The store of blobs at ${place} answered with status ${status}${code === '' ? '' : ` (${code})`}.`;
  if (code === 'NoSuchBucket')
    return new StoreRefused(
      `${answer} Create the bucket, or correct 'fabric.blobs.bucket' in dartboard.json.`,
    );
  if (status === 301 || status === 307 || /Region|^Authorization|Redirect/.test(code))
    return new StoreRefused(`${answer} Set 'fabric.blobs.region' in dartboard.json to that of the bucket.`);
  if (code === 'RequestTimeTooSkewed')
    return new StoreRefused(`${answer} Set the clock of this machine: it differs from that of the store.`);
  if (KEY_ENDED.has(code))
    return new StoreRefused(
      `${answer} The temporary key has expired or is invalid. Start the daemon with new AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, then resume the run.`,
    );
  if (status === 401 || status === 403 || code === 'InvalidAccessKeyId')
    return new StoreRefused(
      `${answer} Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY of the daemon, and that this key ${MAY_WHAT}.`,
    );
  if (status >= 500 || TEMPORARY.has(status) || TEMPORARY.has(code))
    return new Error(`${answer} It is overloaded or broken: check its log.`);
  return new StoreRefused(
    `${answer} Check 'fabric.blobs' in dartboard.json and AWS_ACCESS_KEY_ID: this is another server, or it does not know the key.`,
  );
}
