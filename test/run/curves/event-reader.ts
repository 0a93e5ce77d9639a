// Reads event files as TensorBoard does, written from its formats and not from our writer: bit by bit, with both checksums.

export interface ReadEvent {
  readonly seconds: number;
  readonly step: number;
  readonly version: string | undefined;
  readonly scalars: Readonly<Record<string, number>>;
}

/** All whole events; `rest` are the bytes of one that was cut off. Throws where a checksum is wrong. */
export function readEvents(file: Buffer): { readonly events: readonly ReadEvent[]; readonly rest: number } {
  const events: ReadEvent[] = [];
  let at = 0;
  while (file.length - at >= 12) {
    const length = Number(file.readBigUInt64LE(at));
    check(file.subarray(at, at + 8), file.readUInt32LE(at + 8), 'length');
    if (file.length - at < 16 + length) break;
    const data = file.subarray(at + 12, at + 12 + length);
    check(data, file.readUInt32LE(at + 12 + length), 'data');
    events.push(eventIn(data));
    at += 16 + length;
  }
  return { events, rest: file.length - at };
}

function check(bytes: Buffer, stored: number, what: string): void {
  const turned = (stored - 0xa282ead8) >>> 0;
  const crc = ((turned >>> 17) | (turned << 15)) >>> 0;
  if (crc !== castagnoli(bytes)) throw new Error(`The checksum of the ${what} is wrong.`);
}

/** Without a table, one bit after another. */
export function castagnoli(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  }
  return ~crc >>> 0;
}

interface Field {
  readonly number: number;
  readonly wire: number;
  readonly value: Buffer;
  readonly varint: number;
}

function fields(message: Buffer): readonly Field[] {
  const found: Field[] = [];
  let at = 0;
  const varint = (): number => {
    let [value, scale] = [0, 1];
    for (;;) {
      const byte = message.readUInt8(at++);
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
  };
  while (at < message.length) {
    const key = varint();
    const wire = key & 7;
    const number = wire === 0 ? varint() : 0;
    const length = wire === 1 ? 8 : wire === 5 ? 4 : wire === 2 ? varint() : 0;
    found.push({ number: key >> 3, wire, value: message.subarray(at, at + length), varint: number });
    at += length;
  }
  return found;
}

function eventIn(message: Buffer): ReadEvent {
  const all = fields(message);
  const field = (number: number, wire: number) =>
    all.find(each => each.number === number && each.wire === wire);
  const values = fields(field(5, 2)?.value ?? Buffer.alloc(0)).map(({ value }): [string, number] => {
    const [tag, simple] = fields(value);
    return [tag?.value.toString('utf8') ?? '', simple?.wire === 5 ? simple.value.readFloatLE() : Number.NaN];
  });
  return {
    seconds: field(1, 1)?.value.readDoubleLE() ?? Number.NaN,
    step: field(2, 0)?.varint ?? 0,
    version: field(3, 2)?.value.toString('utf8'),
    scalars: Object.fromEntries(values),
  };
}
