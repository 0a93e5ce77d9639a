// The daemon's blobs, for a joined host: put and got over HTTP.

import * as z from 'zod';
import { type BlobHash, blobHash, requireBlobSize } from '../blobs/blobs.ts';
import { type HostRequests, NOT_FOUND, parsedReply } from './host-requests.ts';
import { BLOBS_PATH } from './messages.ts';
import type { PersistentBlobs, TransferFailed } from './paced-blobs.ts';

/** The answer to a put. */
const NOTHING = z.strictObject({});

export class RemoteBlobs implements PersistentBlobs {
  readonly #requests: HostRequests;
  readonly #over: AbortSignal;

  /** Calls reject with the signal's reason when it is aborted. Until then they wait for a server that does not answer. */
  constructor(requests: HostRequests, over: AbortSignal) {
    this.#requests = requests;
    this.#over = over;
  }

  async put(bytes: Uint8Array, failed?: TransferFailed): Promise<BlobHash> {
    requireBlobSize(bytes);
    const hash = blobHash(bytes);
    const request = { method: 'PUT', path: BLOBS_PATH + hash, body: bytes, signal: this.#over } as const;
    // A proxy may answer with a page of its own: then nothing is stored.
    await this.#requests.persistently(request, failed, reply => parsedReply(reply, NOTHING));
    return hash;
  }

  async get(hash: BlobHash, failed?: TransferFailed): Promise<Uint8Array | undefined> {
    const request = { method: 'GET', path: BLOBS_PATH + hash, signal: this.#over } as const;
    const { status, body } = await this.#requests.persistently({ ...request, mayBeMissing: true }, failed);
    if (status === NOT_FOUND) return undefined;
    if (blobHash(body) === hash) return body;
    throw new Error(
      `The daemon sent other bytes for the blob ${hash}. Check the proxies between the machines.`,
    );
  }
}
