// The client of the elements hub in a container (images/elements/hub.c): one line of request, one line of JSON as the reply. elements.ts
// converts the nodes for a policy.

import { withDeadline } from '../../core/deadline.ts';
import { messageOf } from '../../core/errors.ts';
import { BoundaryError } from '../../core/failure.ts';
import { parsedJson } from '../../core/json.ts';
import { safeParse } from '../../core/safe-parse.ts';
import { type ElementTree, elementTree } from './element-tree.ts';
import { withNodeWindows } from './node-windows.ts';
import { type ByteStream, type ConnectionOptions, connectionError, lineReader } from './streams.ts';

export interface HubReply {
  /** Equal texts mean equal windows and nodes, so that a comparison needs no parsing. */
  readonly text: string;
  /** Two snapshots in a row were equal; otherwise something is animated. */
  readonly isStill: boolean;
  /** Parsed on the first call. */
  tree(): ElementTree;
}

/** The hub reports an application that does not answer as late long before. */
const REPLY_TIMEOUT_MS = 10_000;
const MAX_LINE_BYTES = 16 << 20;

export interface ElementsHub {
  /** The windows and nodes once all applications are idle. One request at a time. */
  ask(): Promise<HubReply>;
  close(): void;
}

export function openHub(stream: ByteStream, options: ConnectionOptions): ElementsHub {
  let pending:
    | { id: number; resolve: (reply: HubReply) => void; reject: (error: unknown) => void }
    | undefined;
  let lastId = 0;
  let isOver = false;
  const failure = (message: string): BoundaryError =>
    connectionError(options, `elements hub: ${message.replace(/\.$/, '')}. Reset the desktop.`);
  const reject = (message: string): void => {
    pending?.reject(failure(message));
    pending = undefined;
  };
  const parse = (text: string): ElementTree => {
    const { data, error } = safeParse(elementTree, parsedJson(`{${text}`));
    if (data !== undefined) return withNodeWindows(data);
    const issue = error.issues[0];
    throw failure(`the reply is not a valid tree ('${issue?.path.join('.')}': ${issue?.message})`);
  };
  stream.onData(
    lineReader(MAX_LINE_BYTES, line => {
      const [, id, still, text] = /^\{"id":(\d+),"still":(true|false),(.*)$/s.exec(line ?? '') ?? [];
      if (text === undefined)
        return reject(`the reply of ${line?.length ?? 'too many'} characters is not a valid tree`);
      // A late reply to an earlier request.
      if (pending === undefined || Number(id) !== pending.id) return;
      let tree: ElementTree | undefined;
      pending.resolve({
        text,
        isStill: still === 'true',
        tree: () => {
          tree ??= parse(text);
          return tree;
        },
      });
      pending = undefined;
    }),
  );
  void stream.closed.then(code => {
    isOver = true;
    reject(`it ended (exit code ${code ?? 'unknown'})`);
  });
  return {
    ask: async () => {
      if (isOver) throw failure('it has ended');
      if (pending !== undefined)
        throw new RangeError(`${options.thing}: the elements hub answers one request at a time`);
      lastId += 1;
      const id = lastId;
      try {
        const reply = new Promise<HubReply>((resolve, rejectReply) => {
          pending = { id, resolve, reject: rejectReply };
        });
        stream.write(Buffer.from(`${id}\n`));
        return await withDeadline(reply, { what: 'the reply', ms: REPLY_TIMEOUT_MS, clock: options.clock });
      } catch (error) {
        pending = undefined;
        throw error instanceof BoundaryError ? error : failure(messageOf(error));
      }
    },
    close: () => stream.close(),
  };
}
