// Reads the body of a reply of a guest, up to a limit: a guest may send without end.

/** A screenshot of 4K has about 10 MB, files of tasks have fewer. */
const MAX_REPLY_BYTES = 64 * 2 ** 20;

/** A body beyond the limit. The same request gives the same body, so it is not sent again. */
export class OversizedReply extends RangeError {
  constructor() {
    super(`The reply has more than ${MAX_REPLY_BYTES} bytes. Use smaller files in the guest.`);
  }
}

/** Rejects with an OversizedReply for a body beyond the limit. */
export async function boundedBody(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_REPLY_BYTES) throw new OversizedReply();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
