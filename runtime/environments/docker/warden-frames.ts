// What is said to the first process of a desktop's container, and what it says: a letter, a channel, two bytes of length, the bytes.
// The other end is in images/warden. Pure.

export interface WardenFrame {
  readonly kind: string;
  readonly channel: number;
  readonly bytes: Uint8Array;
}

const HEADER = 4;
const LONGEST = 0xffff;

/** Several frames where there are more bytes than one can hold; one without bytes where there are none. */
export function encodeFrame(
  kind: string,
  channel: number,
  bytes: Uint8Array = new Uint8Array(0),
): Uint8Array {
  const parts = Math.max(1, Math.ceil(bytes.length / LONGEST));
  return Buffer.concat(
    Array.from({ length: parts }).flatMap((_, part) => {
      const piece = bytes.subarray(part * LONGEST, (part + 1) * LONGEST);
      return [Buffer.from([kind.charCodeAt(0), channel, piece.length >> 8, piece.length & 0xff]), piece];
    }),
  );
}

/** Takes the pieces as they come, cut anywhere. */
export function frameDecoder(tell: (frame: WardenFrame) => void): (piece: Uint8Array) => void {
  let rest: Uint8Array = new Uint8Array(0);
  return piece => {
    let all = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    for (;;) {
      const [kind, channel, high, low] = all;
      if (kind === undefined || channel === undefined || high === undefined || low === undefined) break;
      const end = HEADER + high * 256 + low;
      if (all.length < end) break;
      tell({ kind: String.fromCharCode(kind), channel, bytes: all.subarray(HEADER, end) });
      all = all.subarray(end);
    }
    rest = all;
  };
}

/** A program and its arguments, each ended by a zero. */
export const encodeArguments = (command: readonly string[]): Uint8Array =>
  Buffer.from(command.map(word => `${word}\0`).join(''), 'utf8');
