// The observation of a policy: the instruction, the part of the screen that the mode allows, recent actions and remembered texts.
// It is encoded in the process of the desktop; only the encoded bytes are transported.

import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { EncodedObservation, Mode } from '../../core/policy.ts';
import type { Box, Element, Size } from '../../core/screen.ts';

/** The version at the end increases with every change of the bytes or of their content. */
export const ENCODING = 'dartboard-seen-2';

/** Side of the grey squares, in pixels. */
export const SQUARE = 16;
export const SQUARE_AREA = SQUARE * SQUARE;

export interface Observation {
  readonly mode: Mode;
  readonly size: Size;
  readonly instruction: string;
  /** In the order of the screen's list; the last ones are kept if there are too many. */
  readonly elements: readonly Element[];
  /** The index of the first kept element in the screen's list. */
  readonly firstElement: number;
  /** Regions drawn where no element is, see regions.ts. */
  readonly patches: readonly Box[];
  /**
   * Grey squares: the left end of each element in mode `screenshot_a11y_tree`, then the upper left corner of each patch.
   */
  readonly squares: Uint8Array;
  readonly recent: readonly RecentAction[];
  readonly memory: readonly RememberedText[];
}

/** A past action; lists have the latest first. */
export interface RecentAction {
  /** Index into KINDS, see action-kinds.ts. */
  readonly kind: number;
  /** Name of the target, text written, or keys pressed. */
  readonly text: string;
  /** Whether the action changed the visible elements. */
  readonly changed: boolean;
}

/** A text of an earlier screen that is no longer visible; lists have the latest first. */
export interface RememberedText {
  readonly text: string;
  /** Steps since it was last visible. */
  readonly age: number;
}

/** An element in the encoded header. A list needs a third of an object's bytes. */
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
 * Layout: length of the JSON header (uint32), header, squares. The bytes are deflated, since most of a screen is plain and an
 * observation passes through four processes.
 */
export function encode(observation: Observation): EncodedObservation {
  const { mode, size, instruction, firstElement, patches, recent, memory, squares } = observation;
  const header: Header = {
    mode,
    size,
    instruction,
    firstElement,
    recent,
    memory,
    patches: patches.map(({ x, y, width, height }) => [x, y, width, height]),
    elements: observation.elements.map(({ role, name, value, states, box }) => [
      role,
      name,
      value,
      states,
      box.x,
      box.y,
      box.width,
      box.height,
    ]),
    glimpsed: elementSquareBytes(observation),
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

/** Number of bytes in `squares` that belong to elements. */
export const elementSquareBytes = ({ squares, patches }: Pick<Observation, 'squares' | 'patches'>): number =>
  squares.length - patches.length * SQUARE_AREA;

/** Fast and small: half of this memory takes 10 % longer, twice of it saves nothing. */
const DEFLATE_OPTIONS = { level: 1, windowBits: 13, memLevel: 6 };
/**
 * Output buffer size instead of zlib's 16 KB. V8 collects its young generation after every 32 MB of such buffers, and with
 * thousands of desktops they cause most collections. zlib adds chunks where this size is too small.
 */
const chunkSizeFor = (bytes: Uint8Array): number => Math.max(MIN_CHUNK_BYTES, Math.ceil(bytes.length / 2));
/** The minimum that zlib accepts. */
const MIN_CHUNK_BYTES = 64;
/** Far above any observation; bounds the memory of decoding untrusted bytes. */
const MAX_INFLATED_BYTES = 1 << 24;

export class EncodingError extends Error {
  override readonly name = 'EncodingError';
}

function headerIn(bytes: Uint8Array): Header {
  let header: Partial<Header> | null;
  try {
    header = JSON.parse(reader.decode(bytes)) as Partial<Header> | null;
  } catch (cause) {
    throw new EncodingError(
      'The header of the observation is not JSON. Its bytes are damaged; remove the trajectory.',
      { cause },
    );
  }
  if (!Array.isArray(header?.elements) || !Array.isArray(header.patches)) {
    throw new EncodingError(
      'The header of the observation lacks elements or patches. Another program wrote it; remove the trajectory.',
    );
  }
  return header as Header;
}

export function decode({ encoding, bytes }: EncodedObservation): Observation {
  if (encoding !== ENCODING) {
    throw new EncodingError(
      `The observation has encoding '${encoding}', this version reads '${ENCODING}'. Record the trajectory again.`,
    );
  }
  return read(inflated(bytes));
}

function inflated(bytes: Uint8Array): Uint8Array {
  try {
    return inflateRawSync(bytes, { maxOutputLength: MAX_INFLATED_BYTES });
  } catch (cause) {
    throw new EncodingError(
      `Cannot inflate the observation of ${bytes.byteLength} bytes. It is truncated or damaged; remove the trajectory.`,
      {
        cause,
      },
    );
  }
}

function read(bytes: Uint8Array): Observation {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = bytes.byteLength >= 4 ? view.getUint32(0, true) : 0;
  if (length === 0 || 4 + length > bytes.byteLength)
    throw new EncodingError(
      'The observation has no header. Another program wrote it; remove the trajectory.',
    );
  const { elements, patches, glimpsed, ...header } = headerIn(bytes.subarray(4, 4 + length));
  const squaresStart = 4 + length;
  if (squaresStart + glimpsed + patches.length * SQUARE_AREA !== bytes.byteLength) {
    throw new EncodingError(
      'The number of pixels in the observation differs from its header. Remove the trajectory.',
    );
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
    // A view is safe: nothing else uses these bytes.
    squares: new Uint8Array(bytes.buffer, bytes.byteOffset + squaresStart, bytes.byteLength - squaresStart),
  };
}
