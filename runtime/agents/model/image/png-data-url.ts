// Images of an episode as data URLs. Node.js would make a string of a megabyte for each one, and copy it.

import { DATA_URL_START } from '../../../endpoints/data-url.ts';
import { kernelMemory, kernels } from './kernels.ts';

/** In ASCII. */
export function pngDataUrl(png: Uint8Array): Uint8Array {
  const whole = png.length - (png.length % 3);
  const letters = (whole / 3) * 4;
  const rest = Buffer.from(png.subarray(whole)).toString('base64');
  const url = Buffer.allocUnsafe(DATA_URL_START.length + letters + rest.length);
  url.write(DATA_URL_START, 'latin1');
  if (whole > 0) {
    // No encoder has the memory now: calls do not wait.
    const to = whole + SLACK;
    const memory = kernelMemory(to + letters + SLACK);
    memory.set(png.subarray(0, whole));
    kernels.base64(0, whole, to);
    url.set(memory.subarray(to, to + letters), DATA_URL_START.length);
  }
  url.write(rest, DATA_URL_START.length + letters, 'latin1');
  return url;
}

/** The loop reads and writes whole blocks of 16 bytes. */
const SLACK = 16;
