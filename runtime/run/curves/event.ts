// Encodes TensorBoard's messages for scalars in protobuf's wire format: the number and type of a field, then its value.

const WIRE = { varint: 0, double: 1, bytes: 2, float: 5 } as const;

/** The first event of a file: the version of the format. */
export const versionEvent = (seconds: number): Uint8Array =>
  joined([double(1, seconds), bytes(3, utf8('brain.Event:2'))]);

/** Scalars at a step and a time, in seconds since 1970. */
export const scalarEvent = (
  seconds: number,
  step: number,
  numbers: Readonly<Record<string, number>>,
): Uint8Array => {
  const values = Object.entries(numbers).map(([tag, value]) =>
    bytes(1, joined([bytes(1, utf8(tag)), float(2, value)])),
  );
  return joined([double(1, seconds), varint(2, step), bytes(5, joined(values))]);
};

const key = (field: number, wire: keyof typeof WIRE): Uint8Array => Uint8Array.of((field << 3) | WIRE[wire]);

const double = (field: number, value: number): Uint8Array =>
  joined([key(field, 'double'), filled(8, view => view.setFloat64(0, value, true))]);

const float = (field: number, value: number): Uint8Array =>
  joined([key(field, 'float'), filled(4, view => view.setFloat32(0, value, true))]);

const varint = (field: number, value: number): Uint8Array => joined([key(field, 'varint'), base128(value)]);

const bytes = (field: number, value: Uint8Array): Uint8Array =>
  joined([key(field, 'bytes'), base128(value.length), value]);

/** Seven bits per byte, lowest first; the highest bit marks a continuation. */
function base128(value: number): Uint8Array {
  const parts: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Uint8Array.from([...parts, rest]);
    parts.push((rest % 128) | 128);
  }
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

export function filled(size: number, fill: (view: DataView) => void): Uint8Array {
  const view = new DataView(new ArrayBuffer(size));
  fill(view);
  return new Uint8Array(view.buffer);
}

export const joined = (parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));
