// The module of pixels.wat, with a memory that all encoders of the process share. Calls do not wait, so an encoder has the memory for
// itself until it returns to its caller.

import * as z from 'zod';
import { PIXELS_WASM } from './pixels-wasm.ts';

const numbers = z.custom<(...given: number[]) => number>(value => typeof value === 'function');
const exported = z.object({
  memory: z.instanceof(WebAssembly.Memory),
  ...{ hashRows: numbers, expandRow: numbers, packRow: numbers, widenRow: numbers },
  ...{ blendRows: numbers, filterRows: numbers, adler32: numbers, base64: numbers },
});

const { memory, ...functions } = exported.parse(
  new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(PIXELS_WASM, 'base64'))).exports,
);

/** Addresses and lengths are in bytes; see pixels.wat. */
export const kernels: Omit<z.infer<typeof exported>, 'memory'> = functions;

const PAGE = 65_536;

/** The memory, with at least so many bytes. Another call may move it. */
export function kernelMemory(bytes: number): Uint8Array<ArrayBuffer> {
  const missing = Math.ceil((bytes - memory.buffer.byteLength) / PAGE);
  if (missing > 0) memory.grow(missing);
  return new Uint8Array(memory.buffer);
}
