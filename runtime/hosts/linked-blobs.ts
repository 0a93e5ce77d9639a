// The blobs of a run in an S3-compatible store, for a joined host: the daemon gives it an address for each transfer, and the host transfers
// the bytes itself.

import { randomBytes } from 'node:crypto';
import { requestStore, type TransferContext } from '../blobs/blob-transfer.ts';
import { type BlobHash, blobHash, requireBlobSize } from '../blobs/blobs.ts';
import { retry } from '../core/retry.ts';
import { HostRequestRefused, type HostRequests, NOT_FOUND, parsedReply } from './host-requests.ts';
import { LINKS_PATH, type LinkRequest, linkReply } from './messages.ts';
import type { PersistentBlobs, TransferFailed } from './paced-blobs.ts';

export class LinkedBlobs implements PersistentBlobs {
  readonly #requests: HostRequests;
  readonly #context: TransferContext;

  /** Calls reject with the signal's reason when it is aborted. Until then they wait for a daemon or a store that does not answer. */
  constructor(requests: HostRequests, context: TransferContext) {
    this.#requests = requests;
    this.#context = context;
  }

  async put(bytes: Uint8Array, failed?: TransferFailed): Promise<BlobHash> {
    requireBlobSize(bytes);
    return await this.#persistently(() => this.#put(bytes), failed);
  }

  async get(hash: BlobHash, failed?: TransferFailed): Promise<Uint8Array | undefined> {
    const bytes = await this.#persistently(() => this.#get(hash), failed);
    if (bytes === undefined || blobHash(bytes) === hash) return bytes;
    throw new Error(
      `The store of blobs sent other bytes for the blob ${hash}. Check the proxies between this machine and the store.`,
    );
  }

  /** Rejects if one of the two does not answer this machine. */
  async tryOnce(): Promise<void> {
    await this.#get(await this.#put(randomBytes(64)));
  }

  async #put(bytes: Uint8Array): Promise<BlobHash> {
    const hash = blobHash(bytes);
    const url = await this.#link(hash, { use: 'put', bytes: bytes.byteLength });
    if (url !== undefined) await requestStore({ method: 'PUT', url, body: bytes }, this.#context);
    return hash;
  }

  async #get(hash: BlobHash): Promise<Uint8Array | undefined> {
    const url = await this.#link(hash, { use: 'get' });
    return url === undefined ? undefined : await requestStore({ method: 'GET', url }, this.#context);
  }

  async #link(hash: BlobHash, request: LinkRequest): Promise<string | undefined> {
    const { signal } = this.#context;
    const body = JSON.stringify(request);
    const reply = await this.#requests.once({
      ...{ method: 'POST', path: LINKS_PATH + hash, body, signal },
      mayBeMissing: request.use === 'get',
    });
    return reply.status === NOT_FOUND ? undefined : parsedReply(reply, linkReply).link;
  }

  /** With a new address each time: one that has ended is refused. */
  #persistently<T>(work: () => Promise<T>, failed: TransferFailed = () => undefined): Promise<T> {
    return retry(work, {
      ...this.#context,
      failed: (error, failures) => {
        if (error instanceof HostRequestRefused || error instanceof RangeError) throw error;
        failed(error, failures);
      },
    });
  }
}
