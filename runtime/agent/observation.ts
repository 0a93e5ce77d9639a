// What a policy is shown before it decides: the instruction, the screen as far as the mode allows, what it did lately, and texts
// that it saw before. Encoded where the desktop lives; only these bytes travel.

import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { EncodedObservation, Mode } from '../core/policy.ts';
import type { Box, Element, Size } from '../core/screen.ts';

/** Grows whenever the bytes, or what is put into them, change. */
export const ENCODING = 'dartboard-seen-2';

/** Pixels are looked at in squares of this side, in grey. */
export const SQUARE = 16;
export const SQUARE_AREA = SQUARE * SQUARE;

export interface Observation {
  readonly mode: Mode;
  readonly size: Size;
  readonly instruction: string;
  /** In the order of the screen's own list, of which the last ones are kept where there are too many. */
  readonly elements: readonly Element[];
  /** The index of the first kept element in the screen's list. */
  readonly firstElement: number;
  /** What can be told apart on the picture where no element is, see regions.ts. */
  readonly patches: readonly Box[];
  /**
   * What they look like, a square each: the left end of each element, but for a mode without pixels or without elements, and then each
   * patch from its upper left corner on.
   */
  readonly squares: Uint8Array;
  readonly recent: readonly RecentAction[];
  readonly memory: readonly RememberedText[];
}

/** Something the policy did, the latest first. */
export interface RecentAction {
  /** The number of the kind of action, see act.ts. */
  readonly kind: number;
  /** What it pointed at, wrote, or pressed. */
  readonly text: string;
  /** Whether anything of what is shown changed. */
  readonly changed: boolean;
}

/** A text that was on an earlier screen and is not on this one, the latest first. */
export interface RememberedText {
  readonly text: string;
  /** Steps since it was last seen. */
  readonly age: number;
}

/** An element as the bytes have it: a list takes a third of the room of an object. */
type ElementRow = readonly [
  role: string,
  name: string,
  value: string,
  states: Element['states'],
  x: number,
  y: number,
  width: number,
  height: number,
];

interface Header
  extends Pick<Observation, 'mode' | 'size' | 'instruction' | 'firstElement' | 'recent' | 'memory'> {
  readonly elements: readonly ElementRow[];
  readonly patches: readonly (readonly [x: number, y: number, width: number, height: number])[];
  readonly glimpsed: number;
}

const writer = new TextEncoder();
const reader = new TextDecoder();

/**
 * The length of a header in JSON, the header, and the squares one after another; deflated, since most of a screen is plain, and what is
 * shown goes through four processes and waits in some of them.
 */
export function encode(seen: Observation): EncodedObservation {
  const { mode, size, instruction, firstElement, patches, recent, memory, squares } = seen;
  const header: Header = {
    mode,
    size,
    instruction,
    firstElement,
    recent,
    memory,
    patches: patches.map(({ x, y, width, height }) => [x, y, width, height]),
    elements: seen.elements.map(({ role, name, value, states, box }) => [
      role,
      name,
      value,
      states,
      box.x,
      box.y,
      box.width,
      box.height,
    ]),
    glimpsed: elementSquareBytes(seen),
  };
  const head = writer.encode(JSON.stringify(header));
  const bytes = new Uint8Array(4 + head.length + squares.length);
  new DataView(bytes.buffer).setUint32(0, head.length, true);
  bytes.set(head, 4);
  bytes.set(squares, 4 + head.length);
  return {
    encoding: ENCODING,
    bytes: new Uint8Array(deflateRawSync(bytes, { ...DEFLATE_OPTIONS, chunkSize: chunkSizeFor(bytes) })),
  };
}

/** Bytes of the squares that are of elements. */
export const elementSquareBytes = ({ squares, patches }: Pick<Observation, 'squares' | 'patches'>): number =>
  squares.length - patches.length * SQUARE_AREA;

/** Little work, and little memory for it: with half of that it takes a tenth longer, and twice of it saves nothing. */
const DEFLATE_OPTIONS = { level: 1, windowBits: 13, memLevel: 6 };
/**
 * Bytes for what is deflated, in the place of 16 KB each time: V8 looks through all that is young whenever 32 MB of such memory were taken,
 * and where thousands of desktops wait, that is most of what it collects. More is taken where it is not enough.
 */
const chunkSizeFor = (bytes: Uint8Array): number => Math.max(MIN_CHUNK_BYTES, Math.ceil(bytes.length / 2));
/** What zlib takes. */
const MIN_CHUNK_BYTES = 64;
/** Bytes that no screen comes near to: what unpacks to more is none of ours. */
const MAX_INFLATED_BYTES = 1 << 24;

export class EncodingError extends Error {
  override readonly name = 'EncodingError';
}

function headerIn(bytes: Uint8Array): Header {
  let header: Partial<Header> | null;
  try {
    header = JSON.parse(reader.decode(bytes)) as Partial<Header> | null;
  } catch (cause) {
    throw new EncodingError(`The observation's header is no JSON: its bytes were damaged.`, { cause });
  }
  if (!Array.isArray(header?.elements) || !Array.isArray(header.patches)) {
    throw new EncodingError(`The observation's header has no elements or no patches: it is none of ours.`);
  }
  return header as Header;
}

export function decode({ encoding, bytes }: EncodedObservation): Observation {
  if (encoding !== ENCODING) {
    throw new EncodingError(
      `The observation is encoded as '${encoding}', this policy reads '${ENCODING}': record it anew with this version.`,
    );
  }
  return read(inflated(bytes));
}

function inflated(bytes: Uint8Array): Uint8Array {
  try {
    return inflateRawSync(bytes, { maxOutputLength: MAX_INFLATED_BYTES });
  } catch (cause) {
    throw new EncodingError(`The observation of ${bytes.byteLength} bytes is cut short or is none.`, {
      cause,
    });
  }
}

function read(bytes: Uint8Array): Observation {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = bytes.byteLength >= 4 ? view.getUint32(0, true) : 0;
  if (length === 0 || 4 + length > bytes.byteLength)
    throw new EncodingError('The observation has no header: it is none of ours.');
  const { elements, patches, glimpsed, ...header } = headerIn(bytes.subarray(4, 4 + length));
  const pixels = 4 + length;
  if (pixels + glimpsed + patches.length * SQUARE_AREA !== bytes.byteLength) {
    throw new EncodingError(`The observation's pixels are not as many as its header says.`);
  }
  return {
    ...header,
    patches: patches.map(([x, y, width, height]) => ({ x, y, width, height })),
    elements: elements.map(([role, name, value, states, x, y, width, height]) => ({
      role,
      name,
      value,
      states,
      box: { x, y, width, height },
    })),
    // Where they lie: these bytes are nobody else's.
    squares: new Uint8Array(bytes.buffer, bytes.byteOffset + pixels, bytes.byteLength - pixels),
  };
}
