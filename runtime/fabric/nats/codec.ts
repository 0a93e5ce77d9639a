// Values as messages of the broker, and back. A message is JSON with the bytes behind it; long bytes, and whole messages above the limit,
// become blobs, so that the broker carries only small messages.
//
//    1, the length of the JSON (4 bytes, little-endian), the JSON, the bytes
//    2, the hash of a blob that contains such a message

import { type BlobHash, type Blobs, isBlobHash } from '../../blobs/blobs.ts';
import { messageOf } from '../../core/errors.ts';

/** The limit of a message. Headers and subjects take the rest of 64 KB. */
export const MAX_MESSAGE_BYTES = 63 * 1024;
/** Longer bytes are a blob of their own: pictures repeat, and weights go to many hosts. Shorter ones would be more requests than data. */
export const MIN_BLOB_BYTES = 16 * 1024;

/** Bounds on what a host can make this process hold. A trajectory of a long episode has a few hundred pictures. */
const MAX_JSON_BYTES = 16 * 1024 * 1024;
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

  async encode(value: unknown): Promise<EncodedValue> {
    const blobs = this.#blobs;
    const writing = new Writing(blobs === undefined ? Number.POSITIVE_INFINITY : MIN_BLOB_BYTES);
    const tree = writing.tree(value, []);
    if (blobs === undefined) return { bytes: packed(JSON.stringify(tree), writing.short), blobs: [] };
    const hashes = await Promise.all(writing.long.map(({ bytes }) => blobs.put(bytes)));
    for (const [index, hash] of hashes.entries()) {
      const long = writing.long[index];
      if (long !== undefined) long.reference.$blob = hash;
    }
    const whole = packed(JSON.stringify(tree), writing.short);
    if (whole.length <= MAX_MESSAGE_BYTES) return { bytes: whole, blobs: hashes };
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
    if (hashes.size > MAX_BLOBS) throw unreadable(`it refers to ${hashes.size} blobs`);
    const blobs = new Map<string, Uint8Array>();
    const left = hashes.values();
    let bytes = 0;
    const transfer = async () => {
      for (const hash of left) {
        const blob = await this.#blob(hash);
        bytes += blob.byteLength;
        if (bytes > MAX_DECODED_BYTES)
          throw unreadable(`its blobs have more than ${MAX_DECODED_BYTES} bytes`);
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
  /** Its place in the JSON; the hash is known later. */
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
    if (plain !== undefined) return { $plain: plain };
    if (value instanceof Uint8Array) return this.#bytes(value);
    if (Array.isArray(value)) return value.map((item, index) => this.tree(item, [...path, index]));
    if (typeof value !== 'object' || value === null) {
      if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint')
        throw unfit(typeof value, path);
      return value;
    }
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) throw unfit(value.constructor.name, path);
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([key, item]) => [escaped(key), this.tree(item, [...path, key])]),
    );
  }

  #bytes(bytes: Uint8Array): unknown {
    if (bytes.length >= this.#minLong) {
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

function packed(json: string, parts: readonly Uint8Array[]): Uint8Array {
  const text = Buffer.from(json);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(WHOLE, 0);
  header.writeUInt32LE(text.length, 1);
  return Buffer.concat([header, text, ...parts]);
}

function unpacked(message: Uint8Array): { readonly json: unknown; readonly bytes: Uint8Array } {
  const view = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  if (view.length < HEADER_BYTES || view[0] !== WHOLE) throw unreadable(`it begins with ${view[0]}`);
  const end = HEADER_BYTES + view.readUInt32LE(1);
  if (end > view.length) throw unreadable(`it has ${view.length} bytes instead of ${end} or more`);
  if (end > MAX_JSON_BYTES) throw unreadable(`its JSON has more than ${MAX_JSON_BYTES} bytes`);
  try {
    return { json: JSON.parse(view.toString('utf8', HEADER_BYTES, end)), bytes: view.subarray(end) };
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

/** The only entry of an object of ours. */
function special(value: object): readonly [key: string, content: unknown] | undefined {
  const [entry, ...others] = Object.entries(value);
  return entry !== undefined && others.length === 0 && /^\$(?!\$)/.test(entry[0]) ? entry : undefined;
}

function hashesIn(json: unknown, depth = 0): readonly BlobHash[] {
  if (typeof json !== 'object' || json === null) return [];
  if (depth > MAX_DEPTH) throw unreadable(`it is nested more than ${MAX_DEPTH} times`);
  const [key, content] = special(json) ?? [];
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
