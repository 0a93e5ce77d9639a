// The bytes that belong to a reply, such as pictures, as a binary message. Its header names the request.

// Imported as a namespace so that a page's bundle omits the parts of zod that it does not use.
import * as z from 'zod';
import { safeParse } from '../../core/safe-parse.ts';
import { FrameError, framed, unframed } from '../framing.ts';

const header = z.strictObject({ id: z.int().min(0) });

export interface ReplyFrame {
  /** The id of the request. */
  readonly id: number;
  readonly payload: Uint8Array;
}

export const encodeReplyFrame = ({ id, payload }: ReplyFrame): Uint8Array<ArrayBuffer> =>
  framed({ id }, payload);

export function decodeReplyFrame(frame: ArrayBuffer): ReplyFrame {
  const { header: found, payload } = unframed(frame);
  const parsed = safeParse(header, found);
  if (!parsed.success) {
    throw new FrameError(`The header ${JSON.stringify(found)} of a binary message has no request id.`);
  }
  return { id: parsed.data.id, payload };
}
