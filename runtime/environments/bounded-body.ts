// Reads the body of a reply up to a limit: a server may send without end.

/** The default limit. A screenshot of 4K has about 10 MB, files of tasks have fewer. */
const MAX_REPLY_BYTES = 64 * 2 ** 20;

/** A body beyond the limit. The same request gives the same body, so it is not sent again. */
export class OversizedReply extends RangeError {
  constructor(maxBytes: number) {
    super(`The reply has more than ${maxBytes} bytes. Use smaller files.`);
  }
}

/** Rejects with an OversizedReply for a body beyond the limit. */
export async function boundedBody(response: Response, maxBytes = MAX_REPLY_BYTES): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new OversizedReply(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
