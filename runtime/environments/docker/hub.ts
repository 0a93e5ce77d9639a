// The elements hub of a desktop: one line asks, one line of JSON tells the windows and what is in them. Checks what comes and
// pairs it with what was asked; what the nodes mean for a policy is told by elements.ts.

import { z } from 'zod';
import type { Clock } from '../../core/clock.ts';
import { BoundaryError } from '../../core/failure.ts';
import type { ByteStream } from './streams.ts';

const box = z.tuple([z.number(), z.number(), z.number(), z.number()]);

const node = z.object({
  /** The window it is in. */
  w: z.number(),
  role: z.string(),
  name: z.string(),
  value: z.string(),
  states: z.array(z.string()),
  box,
  /** How many nodes it is below its window. A node comes before those below it. */
  depth: z.number(),
});

const tree = z.object({
  /** From back to front. */
  windows: z.array(
    z.object({
      xid: z.number(),
      title: z.string(),
      /** With the window manager's frame around it, and without. */
      box,
      inner: box,
      /** 0 where its program does not say. */
      pid: z.number(),
    }),
  ),
  nodes: z.array(node),
  /** Windows whose application did not answer in time: their nodes are what it said last. */
  late: z.array(z.number()),
  /** Windows whose application answered and yet never came to rest, as one that draws a clock. */
  busy: z.array(z.number()),
  /** The window that has the keyboard; 0 where none has. */
  active: z.number(),
});

export type ElementTree = Readonly<z.infer<typeof tree>>;
export type ElementNode = ElementTree['nodes'][number];

/** What the hub told once. */
export interface HubReply {
  /** The same for the same windows and nodes, so that one can tell whether anything changed without reading it. */
  readonly text: string;
  /** Whether it was seen twice in a row; else something moves by itself. */
  readonly isStill: boolean;
  /** Read when it is first asked for. */
  tree(): ElementTree;
}

/** Milliseconds. An application that does not answer is told as late by the hub long before. */
const PATIENCE = 10_000;
/** Bytes of one line: a line that is longer is no answer. */
const LONGEST = 16 << 20;

export interface ElementsHub {
  /** The windows and nodes as they are once no application has anything left to do. One question at a time. */
  ask(): Promise<HubReply>;
  close(): void;
}

interface Waiting {
  readonly id: number;
  readonly resolve: (told: HubReply) => void;
  readonly reject: (error: BoundaryError) => void;
}

export function openHub(thing: string, stream: ByteStream, clock: Clock): ElementsHub {
  let waiting: Waiting | undefined;
  let last = 0;
  let isOver = false;

  const failure = (message: string): BoundaryError =>
    new BoundaryError({ boundary: 'environment', thing, message: `${message}: reset the desktop` });
  const refuse = (message: string): void => {
    waiting?.reject(failure(message));
    waiting = undefined;
  };

  stream.onData(
    lines(LONGEST, line => {
      const [, id, still, text] = /^\{"id":(\d+),"still":(true|false),(.*)$/s.exec(line ?? '') ?? [];
      if (text === undefined) return refuse('its elements hub answered what is no tree');
      // What was asked long ago, and given up, may still be answered.
      if (Number(id) !== waiting?.id) return;
      waiting.resolve(told(text, still === 'true'));
      waiting = undefined;
    }),
  );
  void stream.closed.then(code => {
    isOver = true;
    refuse(`its elements hub ended (${code ?? 'no exit code'})`);
  });

  const read = (text: string): ElementTree => {
    const parsed = tree.safeParse(jsonOf(`{${text}`));
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    throw failure(`its elements hub answered what is no tree (${issue?.path.join('.')}: ${issue?.message})`);
  };
  const told = (text: string, isStill: boolean): HubReply => {
    let known: ElementTree | undefined;
    return {
      text,
      isStill,
      tree: () => {
        known ??= read(text);
        return known;
      },
    };
  };

  return {
    ask: async () => {
      if (isOver) throw failure('its elements hub has ended');
      if (waiting !== undefined) throw new RangeError(`${thing}: the hub answers one question at a time.`);
      last += 1;
      const id = last;
      const patience = new AbortController();
      try {
        return await new Promise<HubReply>((resolve, reject) => {
          waiting = { id, resolve, reject };
          clock.sleep(PATIENCE, patience.signal).then(
            () => refuse(`its elements hub gave no answer within ${PATIENCE / 1000} s`),
            () => undefined,
          );
          stream.write(Buffer.from(`${id}\n`));
        });
      } finally {
        patience.abort();
      }
    },
    close: () => stream.close(),
  };
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Cuts a stream into its lines; one that is too long is told as undefined. */
function lines(longest: number, tell: (line: string | undefined) => void): (piece: Uint8Array) => void {
  let pieces: Uint8Array[] = [];
  let length = 0;
  return piece => {
    let from = 0;
    for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10, from)) {
      pieces.push(piece.subarray(from, end));
      tell(length > longest ? undefined : Buffer.concat(pieces).toString('utf8'));
      pieces = [];
      length = 0;
      from = end + 1;
    }
    length += piece.length - from;
    if (length > longest) pieces = [];
    else if (from < piece.length) pieces.push(piece.subarray(from));
  };
}
