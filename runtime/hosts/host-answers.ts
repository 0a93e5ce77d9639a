// Answers of the daemon's server to joined hosts, beside blobs: links to a store of blobs, and posts whose meaning it does not know.

import { type BlobHash, type BlobLinks, MAX_BLOB_BYTES } from '../blobs/blobs.ts';
import { parsedJson } from '../core/json.ts';
import { safeParse } from '../core/safe-parse.ts';
import { BlobMissing, UnfitValue } from '../fabric/nats/codec.ts';
import { BLOBS_GONE, type LinkReply, linkRequest } from './messages.ts';
import { noBlob, Refusal } from './refusal.ts';

/** Without a link, the blob need not be put. */
export async function linked(links: BlobLinks, hash: BlobHash, body: Buffer): Promise<LinkReply> {
  const { data } = safeParse(linkRequest, parsedJson(body.toString('utf8')));
  if (data === undefined)
    throw new Refusal(
      400,
      `The request for a link to the blob ${hash} is invalid. Use the same version of Dartboard on all machines, and blobs of at most ${MAX_BLOB_BYTES} bytes.`,
    );
  const link = await (data.use === 'get' ? links.linkToGet(hash) : links.linkToPut(hash, data.bytes));
  if (link === undefined && data.use === 'get') throw noBlob(hash);
  return link === undefined ? {} : { link };
}

/** Resolves with undefined while there is no answer: the host posts the same again. Rejects with a RangeError for an invalid body. */
export type HostPost = (
  host: string,
  body: Uint8Array,
  signal: AbortSignal,
) => Promise<Uint8Array | undefined>;

export async function answered<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof BlobMissing) throw new Refusal(BLOBS_GONE, error.message);
    if (error instanceof UnfitValue || error instanceof RangeError) throw new Refusal(400, error.message);
    throw error;
  }
}
