// Refusals of the daemon's server for hosts: each has a status of HTTP, and a message for the user of the host.

import type { BlobHash } from '../blobs/blobs.ts';
import { UNKNOWN } from './messages.ts';

export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

export const WRONG_JOIN_TOKEN = new Refusal(
  401,
  "The token to join in the header 'Authorization' is missing, wrong or replaced. Copy the newest address from the terminal of the daemon or from its panel.",
);
export const UNKNOWN_HOST = new Refusal(
  UNKNOWN,
  "The token of the host in the header 'Authorization' is missing, wrong or has ended: the host was silent, was dismissed, or the run started anew. Join again.",
);

export const noBlob = (hash: BlobHash): Refusal =>
  new Refusal(404, `There is no blob ${hash}; it may have been collected. Put it again.`);

export function allow(method: string | undefined, allowed: string): void {
  if (method !== allowed) throw new Refusal(405, `The method ${method} is not supported. Use ${allowed}.`);
}
