// Values as messages of the broker, and back. A message is JSON with the bytes behind it; long bytes, and whole messages above the limit,
// become blobs, so that the broker carries only small messages.
//
//    1, the length of the JSON (4 bytes, little-endian), the JSON, the bytes
//    2, the hash of a blob that contains such a message

import { type BlobHash, type Blobs, blobHash, isBlobHash, MAX_BLOB_BYTES } from '../../blobs/blobs.ts';
import { messageOf } from '../../core/errors.ts';

/** The limit of a message. Headers and subjects take the rest of 64 KB. */
export const MAX_MESSAGE_BYTES = 63 * 1024;
/** Longer bytes are a blob of their own: pictures repeat, and weights go to many hosts. Shorter ones would be more requests than data. */
export const MIN_BLOB_BYTES = 16 * 1024;

/**
 * Bounds on what a host can make this process hold; `encode` rejects what `decode` would reject. The longest JSON is one blob: about 60,000
 * tokens of a model with 20 alternatives each. A trajectory of a long episode has a few hundred pictures.
 */
const MAX_JSON_BYTES = MAX_BLOB_BYTES;
/** Small values need the most memory: 5,600,000 empty arrays in 16 MB of JSON need 1.5 GB. Those tokens are about 4,300,000 values. */
const MAX_JSON_VALUES = 8_000_000;
const MAX_DEPTH = 64;
const MAX_BLOBS = 2000;
const MAX_DECODED_BYTES = 512 * 1024 * 1024;
const TRANSFERS_AT_ONCE = 8;

const WHOLE = 1;
const BLOB = 2;
const HEADER_BYTES = 5;

/** Values that JSON does not have. */
const PLAIN: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [undefined, 'undefined'],
  [Number.NaN, 'NaN'],
  [Number.POSITIVE_INFINITY, 'Infinity'],
  [Number.NEGATIVE_INFINITY, '-Infinity'],
]);

export interface EncodedValue {
  readonly bytes: Uint8Array;
  /** The blobs without which it cannot be decoded. */
  readonly blobs: readonly BlobHash[];
}

/** A message refers to a blob that no longer exists. */
export class BlobMissing extends Error {
  override readonly name = 'BlobMissing';
}

/** A value that no message can carry, or a message that contains no value. */
export class UnfitValue extends Error {
  override readonly name = 'UnfitValue';
}

/** True if a repetition may help: the blobs of another host may be out of reach for a while. */
export const mayBeRepeated = (error: unknown): boolean =>
  !(error instanceof UnfitValue || error instanceof BlobMissing);

/** Plain objects, arrays, strings, numbers, booleans, null, undefined and Uint8Arrays. */
export class ValueCodec {
  readonly #blobs: Blobs | undefined;

  /** Without blobs, messages may have any length. */
  constructor(blobs: Blobs | undefined) {
    this.#blobs = blobs;
  }

  /** Rejects with an UnfitValue for a value that `decode` would reject. Puts no blob of such a value. */
  async encode(value: unknown): Promise<EncodedValue> {
    const blobs = this.#blobs;
    const writing = new Writing(blobs === undefined ? Number.POSITIVE_INFINITY : MIN_BLOB_BYTES);
    const tree = writing.tree(value, []);
    if (blobs === undefined) return { bytes: packed(tree, writing.short), blobs: [] };
    const parts = new Map<BlobHash, Uint8Array>();
    for (const { bytes, reference } of writing.long) {
      const hash = blobHash(bytes);
      reference.$blob = hash;
      parts.set(hash, bytes);
    }
    requireFew(parts.size);
    requireSmall([...parts.values()].reduce((sum, { byteLength }) => sum + byteLength, 0));
    const whole = packed(tree, writing.short);
    const isShort = whole.length <= MAX_MESSAGE_BYTES;
    if (!isShort) requireBlob(whole.length, []);
    const hashes = await Promise.all([...parts.values()].map(bytes => blobs.put(bytes)));
    if (isShort) return { bytes: whole, blobs: hashes };
    const hash = await blobs.put(whole);
    return { bytes: Buffer.concat([Uint8Array.of(BLOB), Buffer.from(hash)]), blobs: [...hashes, hash] };
  }

  /** Rejects with an UnfitValue for bytes that `encode` did not make. */
  async decode(message: Uint8Array): Promise<unknown> {
    const whole = message[0] === BLOB ? await this.#blob(hashIn(message)) : message;
    const { json, bytes } = unpacked(whole);
    const blobs = await this.#all(new Set(hashesIn(json)));
    return new Reading(bytes, blobs).value(json);
  }

  async #all(hashes: ReadonlySet<BlobHash>): Promise<ReadonlyMap<string, Uint8Array>> {
    requireFew(hashes.size);
    const blobs = new Map<string, Uint8Array>();
    const left = hashes.values();
    let bytes = 0;
    const transfer = async () => {
      for (const hash of left) {
        const blob = await this.#blob(hash);
        bytes += blob.byteLength;
        requireSmall(bytes);
        blobs.set(hash, blob);
      }
    };
    await Promise.all(Array.from({ length: Math.min(hashes.size, TRANSFERS_AT_ONCE) }, transfer));
    return blobs;
  }

  async #blob(hash: BlobHash): Promise<Uint8Array> {
    if (this.#blobs === undefined) throw unreadable('it refers to a blob');
    const bytes = await this.#blobs.get(hash);
    if (bytes !== undefined) return bytes;
    throw new BlobMissing(
      `A message cannot be read: its blob ${hash} was collected, or was never put. Send the value again.`,
    );
  }
}

interface LongBytes {
  readonly bytes: Uint8Array;
  /** Its place in the JSON, without the hash. */
  readonly reference: { $blob: string };
}

/** The JSON of one value, and the bytes that it contains. */
class Writing {
  readonly short: Uint8Array[] = [];
  readonly long: LongBytes[] = [];
  readonly #minLong: number;
  #offset = 0;

  constructor(minLong: number) {
    this.#minLong = minLong;
  }

  tree(value: unknown, path: readonly (string | number)[]): unknown {
    const plain = PLAIN.get(value);
    if (plain !== undefined) {
      requireShallow(path.length);
      return { $plain: plain };
    }
    if (typeof value !== 'object' || value === null) {
      if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint')
        throw unfit(typeof value, path);
      return value;
    }
    requireShallow(path.length);
    if (value instanceof Uint8Array) return this.#bytes(value, path);
    if (Array.isArray(value)) return value.map((item, index) => this.tree(item, [...path, index]));
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) throw unfit(value.constructor.name, path);
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([key, item]) => [escaped(key), this.tree(item, [...path, key])]),
    );
  }

  #bytes(bytes: Uint8Array, path: readonly (string | number)[]): unknown {
    if (bytes.length >= this.#minLong) {
      requireBlob(bytes.length, path);
      const reference = { $blob: '' };
      this.long.push({ bytes, reference });
      return reference;
    }
    const from = this.#offset;
    this.#offset += bytes.length;
    this.short.push(bytes);
    return { $bytes: [from, this.#offset] };
  }
}

const unfit = (what: string, path: readonly (string | number)[]): UnfitValue =>
  new UnfitValue(
    `A value cannot be sent to other hosts: '${path.join('.')}' is of the type ${what}. Use plain objects, arrays and Uint8Arrays.`,
  );

/** A key of ours begins with one `$`; a key of a value never does. */
const escaped = (key: string): string => (key.startsWith('$') ? `$${key}` : key);

function unescaped(key: string): string {
  if (/^\$(?!\$)/.test(key)) throw unreadable(`it contains the key '${key}'`);
  return key.startsWith('$') ? key.slice(1) : key;
}

function packed(tree: unknown, parts: readonly Uint8Array[]): Uint8Array {
  const text = Buffer.from(jsonOf(tree));
  requireShort(text);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(WHOLE, 0);
  header.writeUInt32LE(text.length, 1);
  return Buffer.concat([header, text, ...parts]);
}

function jsonOf(tree: unknown): string {
  try {
    return JSON.stringify(tree);
  } catch (error) {
    // Longer than any string.
    throw tooLarge(`its JSON is too long (${messageOf(error)})`, SHORTER);
  }
}

function unpacked(message: Uint8Array): { readonly json: unknown; readonly bytes: Uint8Array } {
  const view = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  if (view.length < HEADER_BYTES || view[0] !== WHOLE) throw unreadable(`it begins with ${view[0]}`);
  const end = HEADER_BYTES + view.readUInt32LE(1);
  if (end > view.length) throw unreadable(`it has ${view.length} bytes instead of ${end} or more`);
  const text = view.subarray(HEADER_BYTES, end);
  requireShort(text);
  try {
    return { json: JSON.parse(text.toString('utf8')), bytes: view.subarray(end) };
  } catch (error) {
    throw unreadable(messageOf(error));
  }
}

function hashIn(message: Uint8Array): BlobHash {
  const hash = Buffer.from(message.subarray(1)).toString('latin1');
  if (!isBlobHash(hash)) throw unreadable('it refers to no blob');
  return hash;
}

const unreadable = (why: string): UnfitValue =>
  new UnfitValue(`A message of the broker cannot be read: ${why}. All hosts must run the same version.`);

const SHORTER = 'Play episodes with fewer steps or shorter replies.';
const SMALLER = 'Use smaller screens, a smaller network, or episodes with fewer steps.';

const tooLarge = (why: string, remedy: string): UnfitValue =>
  new UnfitValue(`A value is too large for a message between hosts: ${why}. ${remedy}`);

/** Of JSON, each begins a value: `[`, `{` and `,`. */
const BEGINNINGS: ReadonlySet<number> = new Set(Buffer.from('[{,'));

/** Before it is parsed. Commas in strings count too; they are few. */
function requireShort(json: Uint8Array): void {
  if (json.length > MAX_JSON_BYTES)
    throw tooLarge(`its JSON has ${json.length} bytes of at most ${MAX_JSON_BYTES}`, SHORTER);
  if (json.length <= MAX_JSON_VALUES) return;
  let values = 0;
  for (const byte of json) if (BEGINNINGS.has(byte)) values += 1;
  if (values > MAX_JSON_VALUES)
    throw tooLarge(`its JSON has ${values} values of at most ${MAX_JSON_VALUES}`, SHORTER);
}

function requireBlob(bytes: number, path: readonly (string | number)[]): void {
  if (bytes <= MAX_BLOB_BYTES) return;
  const part = path.length === 0 ? 'it' : `'${path.join('.')}'`;
  throw tooLarge(`${part} has ${bytes} bytes of at most ${MAX_BLOB_BYTES}`, SMALLER);
}

function requireFew(blobs: number): void {
  if (blobs > MAX_BLOBS) throw tooLarge(`it refers to ${blobs} blobs of at most ${MAX_BLOBS}`, SMALLER);
}

function requireSmall(bytes: number): void {
  if (bytes > MAX_DECODED_BYTES)
    throw tooLarge(`its blobs have ${bytes} bytes or more, of at most ${MAX_DECODED_BYTES}`, SMALLER);
}

function requireShallow(depth: number): void {
  if (depth > MAX_DEPTH)
    throw tooLarge(`it is nested more than ${MAX_DEPTH} times`, 'Nest its objects and arrays less.');
}

/** The only entry of an object of ours. */
function special(value: object): readonly [key: string, content: unknown] | undefined {
  const [entry, ...others] = Object.entries(value);
  return entry !== undefined && others.length === 0 && /^\$(?!\$)/.test(entry[0]) ? entry : undefined;
}

function hashesIn(json: unknown, depth = 0): readonly BlobHash[] {
  if (typeof json !== 'object' || json === null) return [];
  requireShallow(depth);
  const [key, content] = special(json) ?? [];
  // `Reading` checks their content.
  if (key === '$bytes' || key === '$plain') return [];
  if (key === '$blob') {
    if (typeof content !== 'string' || !isBlobHash(content)) throw unreadable('it refers to no blob');
    return [content];
  }
  return Object.values(json).flatMap(each => hashesIn(each, depth + 1));
}

/** One message whose nesting was checked. */
class Reading {
  readonly #bytes: Uint8Array;
  readonly #blobs: ReadonlyMap<string, Uint8Array>;
  /** Of the parts so far. They do not overlap, so together they have no more bytes than the message. */
  #copied = 0;

  constructor(bytes: Uint8Array, blobs: ReadonlyMap<string, Uint8Array>) {
    this.#bytes = bytes;
    this.#blobs = blobs;
  }

  value(json: unknown): unknown {
    if (typeof json !== 'object' || json === null) return json;
    if (Array.isArray(json)) return json.map(item => this.value(item));
    const [key, content] = special(json) ?? [];
    if (key === '$blob') return this.#blobs.get(String(content));
    if (key === '$bytes') return this.#part(content);
    if (key === '$plain') return plainOf(content);
    return Object.fromEntries(
      Object.entries(json).map(([name, item]) => [unescaped(name), this.value(item)]),
    );
  }

  /** A copy: a part would keep the whole message in memory. */
  #part(range: unknown): Uint8Array {
    const [from, to] = Array.isArray(range) ? range : [];
    const { length } = this.#bytes;
    if (!Number.isInteger(from) || !Number.isInteger(to) || from < 0 || to < from || to > length)
      throw unreadable('it refers to bytes that it does not contain');
    this.#copied += to - from;
    if (this.#copied > length) throw unreadable('it refers to the same bytes twice');
    return new Uint8Array(this.#bytes.subarray(from, to));
  }
}

function plainOf(word: unknown): unknown {
  for (const [value, name] of PLAIN) if (name === word) return value;
  throw unreadable(`it contains the value '${String(word)}'`);
}
