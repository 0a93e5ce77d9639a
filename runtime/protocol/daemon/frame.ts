// What a request is answered with beside its reply, where that is bytes: weights, pictures. The header names the request.

// As a namespace: a page's bundle then leaves out what it does not use.
import * as z from 'zod';
import { FrameError, framed, unframed } from '../framing.ts';

const header = z.strictObject({ id: z.int().min(0) });

export interface ReplyFrame {
  /** Of the request that it belongs to. */
  readonly id: number;
  readonly payload: Uint8Array;
}

export const encodeReplyFrame = ({ id, payload }: ReplyFrame): Uint8Array<ArrayBuffer> =>
  framed({ id }, payload);

export function decodeReplyFrame(frame: ArrayBuffer): ReplyFrame {
  const { header: found, payload } = unframed(frame);
  const parsed = header.safeParse(found);
  if (!parsed.success) {
    throw new FrameError(`The header ${JSON.stringify(found)} of a frame names no request.`);
  }
  return { id: parsed.data.id, payload };
}
