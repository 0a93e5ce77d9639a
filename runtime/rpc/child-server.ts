// The child's side: prepares, says that it is ready, then answers calls one after another. Ends with its
// parent.

import type { CallTable, Handlers, Reply, Request } from './calls.ts';
import { leaveSignalsToParent } from './ignore-signals.ts';

export interface Service<T extends CallTable, About> {
  readonly about: About;
  readonly handlers: Handlers<T>;
  /** Gives back what would outlive the process, when its parent ends it or is gone. */
  end?(): Promise<void>;
}

/** Milliseconds for that. */
const LAST = 10_000;

export async function serve<T extends CallTable, About>(
  prepare: () => Promise<Service<T, About>>,
): Promise<void> {
  let end = async (): Promise<void> => undefined;
  // Its parent may be done with it before it has begun.
  if (!process.connected) process.exit();
  process.on('disconnect', () => {
    setTimeout(() => process.exit(1), LAST);
    void end().finally(() => process.exit());
  });
  leaveSignalsToParent();
  try {
    const { about, handlers, end: ending } = await prepare();
    if (ending !== undefined) end = ending;
    let before: Promise<void> = Promise.resolve();
    process.on('message', (request: Request) => {
      // One after another: runs of one session must not overlap, and they share one core anyway.
      before = before.then(() => answer(handlers, request));
    });
    say({ kind: 'ready', about });
  } catch (error) {
    say({ kind: 'unfit', message: asError(error).message });
    process.disconnect();
  }
}

async function answer<T extends CallTable>(
  handlers: Handlers<T>,
  { id, call, takes }: Request,
): Promise<void> {
  try {
    const handler = handlers[call];
    if (handler === undefined) throw new RangeError(`There is no call '${call}'.`);
    say({ kind: 'result', id, gives: await handler(takes) });
  } catch (error) {
    const { name, message } = asError(error);
    say({ kind: 'error', id, name, message });
  }
}

const say = (reply: Reply): void => {
  // What is under way when it ends is answered to nobody; nor is it an error that its parent left a moment ago.
  if (process.connected) process.send?.(reply, undefined, undefined, () => undefined);
};

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
