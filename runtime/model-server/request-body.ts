// Reads the body of a request up to a limit.

import type { IncomingMessage } from 'node:http';
import { ApiError } from './api-error.ts';

/** Room for 20 screens of 1920 × 1080 as base64. The policy looks at the last one only. */
export const MAX_BODY_BYTES = 32 * 1024 * 1024;

export const readBody = async (request: IncomingMessage, limit = MAX_BODY_BYTES): Promise<string> =>
  (await readBytes(request, limit)).toString('utf8');

/** Rejects with an ApiError as soon as the body exceeds the limit, or when the client leaves. */
export async function readBytes(request: IncomingMessage, limit = MAX_BODY_BYTES): Promise<Buffer> {
  const tooLarge = () =>
    new ApiError(
      413,
      `The body exceeds ${limit} bytes. Send fewer images of earlier turns: the policy looks at the last one only.`,
      { code: 'request_too_large' },
    );
  const left = () => new ApiError(400, 'The client left before its body was complete.');
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge();
  const chunks: Buffer[] = [];
  let length = 0;
  await new Promise<void>((resolve, reject) => {
    const take = (chunk: Buffer): void => {
      length += chunk.length;
      if (length <= limit) {
        chunks.push(chunk);
        return;
      }
      // The rest is read and dropped: a client that still sends would not see the error on a closed connection.
      request.off('data', take).resume();
      reject(tooLarge());
    };
    request.on('data', take);
    request.once('end', resolve);
    // The connection broke: Node reports it before 'close'.
    request.once('error', () => reject(left()));
    request.once('close', () => reject(left()));
  });
  return Buffer.concat(chunks);
}
