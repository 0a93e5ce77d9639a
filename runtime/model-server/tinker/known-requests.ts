// Recognises requests that are sent again: equal numbers and equal bodies are the same request.

import { ApiError } from '../api-error.ts';

/** Earlier requests that are recognised. */
const KEPT_REQUESTS = 4096;

export class KnownRequests {
  readonly #known = new Map<number, { readonly digest: string; readonly requestId: string }>();

  /** The id of the future of an equal request; undefined for a new number. Throws an ApiError for another request with the number. */
  find(seqId: number, digest: string): string | undefined {
    const known = this.#known.get(seqId);
    if (known === undefined || known.digest === digest) return known?.requestId;
    throw takenNumber(seqId);
  }

  remember(seqId: number, digest: string, requestId: string): void {
    this.#known.set(seqId, { digest, requestId });
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= KEPT_REQUESTS) break;
      this.#known.delete(oldest);
    }
  }
}

const takenNumber = (seqId: number): ApiError =>
  new ApiError(
    409,
    `The seq_id ${seqId} belongs to an earlier request with another body. Count seq_id up by 1 for each new request, from 1.`,
  );
