// A screen as a binary message; its header has the size and the pixel layout.

// Imported as a namespace so that a page's bundle omits the parts of zod that it does not use.
import * as z from 'zod';
import type { Pixels } from '../core/screen.ts';
import { FrameError, framed, unframed } from './framing.ts';

const screenHeader = z.strictObject({
  kind: z.literal('screen'),
  /** One byte per channel, row by row. */
  layout: z.enum(['rgb', 'rgba']),
  width: z.int().min(1).max(0xffff),
  height: z.int().min(1).max(0xffff),
});

export type { Pixels } from '../core/screen.ts';
export { FrameError } from './framing.ts';

export const encodeScreen = ({ layout, width, height, data }: Pixels): Uint8Array<ArrayBuffer> =>
  framed({ kind: 'screen', layout, width, height }, data);

export function decodeScreen(frame: ArrayBuffer): Pixels {
  const { header, payload } = unframed(frame);
  const parsed = screenHeader.safeParse(header);
  if (!parsed.success) {
    throw new FrameError(
      `The header ${JSON.stringify(header)} of a binary message does not describe a screen.`,
    );
  }
  const { layout, width, height } = parsed.data;
  if (payload.length !== width * height * layout.length) {
    throw new FrameError(
      `A ${layout} screen of ${width} x ${height} has ${width * height * layout.length} bytes, not ${payload.length}.`,
    );
  }
  return { layout, width, height, data: payload };
}
