// The bytes of a process in a container. The engine sends its output and its errors over one connection, each piece behind a
// header of 8 bytes; here the headers are taken off. Pure: nothing here reads or writes a connection.

/** Bytes both ways with a process in a container. */
export interface ByteStream {
  write(data: Uint8Array): void;
  /** Called in order with what comes; what came before there was a listener comes first. */
  onData(listener: (data: Uint8Array) => void): void;
  /** Once, when it is over: with the exit code where it is known. Never rejects. */
  readonly closed: Promise<number | undefined>;
  /** The end of what is written; what the process still says is heard. */
  end(): void;
  close(): void;
}

/** The same, and what the process complained of. */
export interface ExecProcess extends ByteStream {
  /** The last 4 KB of its errors. */
  errors(): string;
}

export type OutputChannel = 'output' | 'errors';

const HEADER = 8;
const CHANNELS: Readonly<Record<number, OutputChannel>> = { 0: 'output', 1: 'output', 2: 'errors' };

/** Takes the pieces as they come, cut anywhere, and tells what each channel says. Throws where no header is. */
export function demultiplexer(
  tell: (channel: OutputChannel, data: Uint8Array) => void,
): (piece: Uint8Array) => void {
  const header = new Uint8Array(HEADER);
  const view = new DataView(header.buffer);
  let filled = 0;
  let left = 0;
  let channel: OutputChannel = 'output';
  return piece => {
    let at = 0;
    while (at < piece.length) {
      if (left > 0) {
        const part = piece.subarray(at, at + left);
        at += part.length;
        left -= part.length;
        tell(channel, part);
        continue;
      }
      const part = piece.subarray(at, at + HEADER - filled);
      header.set(part, filled);
      at += part.length;
      filled += part.length;
      if (filled < HEADER) return;
      filled = 0;
      channel = channelOf(header);
      left = view.getUint32(4);
    }
  };
}

function channelOf(header: Uint8Array): OutputChannel {
  const channel = CHANNELS[header[0] ?? -1];
  if (channel !== undefined) return channel;
  const shown = Buffer.from(header).toString('hex');
  throw new RangeError(
    `'${shown}' is no header of an engine's stream: something between here and the engine changes it.`,
  );
}

/** For one listener: what comes before there is one comes first. */
export function bufferedListener(): Pick<ByteStream, 'onData'> & {
  readonly tell: (data: Uint8Array) => void;
} {
  const early: Uint8Array[] = [];
  let hear = (data: Uint8Array): void => void early.push(data);
  return {
    tell: data => hear(data),
    onData: listener => {
      hear = listener;
      for (const data of early.splice(0)) listener(data);
    },
  };
}

/** Keeps the end of what it is given. */
export function tail(most: number): { add(data: Uint8Array): void; text(): string } {
  let kept: Uint8Array = new Uint8Array(0);
  return {
    add: data => {
      const all = Buffer.concat([kept, data.subarray(-most)]);
      kept = all.subarray(-most);
    },
    text: () => Buffer.from(kept).toString('utf8'),
  };
}

/** Lines of JSON that come in pieces; an unfinished one waits for its end. */
export function jsonLines(tell: (value: unknown) => void): (piece: Uint8Array) => void {
  const decoder = new TextDecoder();
  let rest = '';
  return piece => {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') tell(JSON.parse(line));
  };
}
