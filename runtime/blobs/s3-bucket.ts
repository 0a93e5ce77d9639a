// A bucket of an S3-compatible store: signs addresses of its objects, and reads, writes, lists and removes them.

import { createHash } from 'node:crypto';
import { AwsV4Signer } from 'aws4fetch';
import type { Clock } from '../core/clock.ts';
import { sentenceOf } from '../core/errors.ts';
import { retry } from '../core/retry.ts';
import { requestStore, StoreRefused, type StoreRequest } from './blob-transfer.ts';
import { requireBlobSize } from './blobs.ts';

/** As in the settings. */
export interface S3Place {
  /** Without a path. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region?: string;
}

export interface S3Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of temporary keys. */
  readonly sessionToken?: string;
}

export interface S3BucketOptions extends S3Place {
  readonly keys: S3Keys;
  readonly clock: Clock;
  /** Of the machine, in milliseconds since 1970. The store compares signatures with its own clock. */
  readonly wallTime: () => number;
  /** Ends pending requests with its reason. */
  readonly signal: AbortSignal;
  /** Told when the store disappears and when it is back. */
  readonly health?: (healthy: boolean, message: string) => void;
}

/** Stores allow clocks to differ by as much. */
const LINK_VALID_S = 900;
const DEFAULT_REGION = 'us-east-1';
const MAX_ATTEMPTS = 4;
const BACKOFF = { firstMs: 200, maxMs: 2000 };
const REMOVALS_AT_ONCE = 16;
/** S3 accepts no more keys in one request. */
const MAX_REMOVED_KEYS = 1000;

export class S3Bucket {
  readonly #options: S3BucketOptions;
  #isUp = true;

  constructor(options: S3BucketOptions) {
    this.#options = options;
  }

  /** The address of one object. Until it expires, it permits one method; PUT only with this number of bytes. */
  link(method: 'GET' | 'PUT', key: string, bytes?: number): Promise<string> {
    return this.#signed(
      method,
      this.#urlOf(key),
      bytes === undefined ? {} : { 'content-length': `${bytes}` },
    );
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    requireBlobSize(bytes);
    await this.#repeated(async () => ({
      ...{ method: 'PUT', url: await this.link('PUT', key, bytes.byteLength), body: bytes },
    }));
  }

  /** Undefined if there is no such object. */
  get(key: string): Promise<Uint8Array | undefined> {
    return this.#repeated(async () => ({ method: 'GET', url: await this.link('GET', key) }));
  }

  /** Objects that are not there count as removed. Settles when no request is under way any more, with a failure if there was one. */
  async remove(keys: readonly string[]): Promise<void> {
    const lists = Array.from({ length: Math.ceil(keys.length / MAX_REMOVED_KEYS) }, (_, list) =>
      keys.slice(list * MAX_REMOVED_KEYS, (list + 1) * MAX_REMOVED_KEYS),
    );
    const left: string[] = [];
    await eachRemoved(lists, async list => void left.push(...(await this.#removeTogether(list))));
    await eachRemoved(left, key =>
      this.#repeated(async () => ({
        ...{ method: 'DELETE', url: await this.#signed('DELETE', this.#urlOf(key)) },
      })),
    );
  }

  async keys(prefix: string): Promise<readonly string[]> {
    const found: string[] = [];
    for (let token: string | undefined = ''; token !== undefined; ) {
      const url = new URL(this.#urlOf(''));
      url.searchParams.set('list-type', '2');
      url.searchParams.set('prefix', prefix);
      if (token !== '') url.searchParams.set('continuation-token', token);
      const body = await this.#repeated(async () => ({
        method: 'GET',
        url: await this.#signed('GET', `${url}`),
      }));
      const page = Buffer.from(body ?? []).toString('utf8');
      found.push(...textsOf('Key', page));
      [token] = textsOf('NextContinuationToken', page);
    }
    return found;
  }

  /** Returns the keys that the store does not report as removed: some stores refuse such a request. */
  async #removeTogether(keys: readonly string[]): Promise<readonly string[]> {
    if (keys.length === 1) return keys;
    const objects = keys.map(key => `<Object><Key>${key.replaceAll('&', '&amp;')}</Key></Object>`);
    const body = Buffer.from(
      `<Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${objects.join('')}</Delete>`,
    );
    const url = new URL(this.#urlOf(''));
    url.searchParams.set('delete', '');
    try {
      // Node refuses MD5 in its FIPS mode.
      const headers = { 'content-md5': createHash('md5').update(body).digest('base64') };
      const request = { method: 'POST', url: await this.#signed('POST', `${url}`), headers, body } as const;
      const answer = Buffer.from((await requestStore(request, this.#options)) ?? []).toString('utf8');
      this.#becomes(true, 'works again');
      const removed = new Set(textsOf('Key', answer.replaceAll(/<Error>.*?<\/Error>/gs, '')));
      return keys.filter(key => !removed.has(key));
    } catch {
      // The removals one by one report the reason.
      return keys;
    }
  }

  #urlOf(key: string): string {
    const { endpoint, bucket } = this.#options;
    return `${endpoint.replace(/\/$/, '')}/${bucket}${key === '' ? '' : `/${key}`}`;
  }

  async #signed(
    method: string,
    url: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const { keys, region = DEFAULT_REGION, wallTime } = this.#options;
    const address = new URL(url);
    address.searchParams.set('X-Amz-Expires', `${LINK_VALID_S}`);
    const signer = new AwsV4Signer({
      ...{ method, url: `${address}`, headers, ...keys, region, service: 's3' },
      ...{ signQuery: true, allHeaders: true, datetime: compactTime(wallTime()) },
    });
    return `${(await signer.sign()).url}`;
  }

  /** Signs each attempt anew. */
  async #repeated(request: () => Promise<StoreRequest>): Promise<Uint8Array | undefined> {
    const { clock, signal } = this.#options;
    try {
      const reply = await retry(async () => requestStore(await request(), { clock, signal }), {
        ...{ clock, signal, backoff: BACKOFF },
        failed: (error, failures) => {
          if (error instanceof StoreRefused || failures >= MAX_ATTEMPTS) throw error;
        },
      });
      this.#becomes(true, 'works again');
      return reply;
    } catch (error) {
      if (!signal.aborted) this.#becomes(false, sentenceOf(error));
      throw error;
    }
  }

  #becomes(isUp: boolean, message: string): void {
    if (isUp !== this.#isUp) this.#options.health?.(isUp, message);
    this.#isUp = isUp;
  }
}

/** Rejects with the first failure, after all removals have ended. */
async function eachRemoved<T>(items: readonly T[], remove: (item: T) => Promise<unknown>): Promise<void> {
  const left = items.values();
  const remover = async () => {
    for (const item of left) await remove(item);
  };
  const ends = await Promise.allSettled(Array.from({ length: REMOVALS_AT_ONCE }, remover));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

/** 20261126T150000Z */
const compactTime = (ms: number): string => new Date(ms).toISOString().replaceAll(/[:-]|\.\d{3}/g, '');

/** Keys of ours need no other entity than '&amp;', which tokens may contain. */
const textsOf = (tag: string, xml: string): readonly string[] =>
  [...xml.matchAll(new RegExp(`<${tag}>([^<]*)</${tag}>`, 'g'))].map(([, text = '']) =>
    text.replaceAll('&amp;', '&'),
  );

/** From the environment. Throws an Error that names the variables, never their values. */
export function s3KeysIn(environment: Readonly<Record<string, string | undefined>>): S3Keys {
  const read = (name: string): string => environment[name]?.trim() ?? '';
  const [accessKeyId, secretAccessKey] = [read('AWS_ACCESS_KEY_ID'), read('AWS_SECRET_ACCESS_KEY')];
  if (accessKeyId === '' || secretAccessKey === '')
    throw new Error(
      `The key of the store of blobs is missing: the environment variable ${accessKeyId === '' ? 'AWS_ACCESS_KEY_ID' : 'AWS_SECRET_ACCESS_KEY'} is not set. Set it, and start Dartboard again from the same shell, or remove 'fabric.blobs' from dartboard.json.`,
    );
  const sessionToken = read('AWS_SESSION_TOKEN');
  return { accessKeyId, secretAccessKey, ...(sessionToken !== '' && { sessionToken }) };
}
