// The child's side: prepares, says that it is ready, then answers calls one after another. Ends with its
// parent.

import type { CallTable, Handlers, Reply, Request } from './calls.ts';

export interface Service<T extends CallTable, About> {
  readonly about: About;
  readonly handlers: Handlers<T>;
}

export async function serve<T extends CallTable, About>(
  prepare: () => Promise<Service<T, About>>,
): Promise<void> {
  process.on('disconnect', () => process.exit());
  // Ctrl-C reaches every program of a terminal. When a child ends is its parent's to say: it may have something to save.
  process.on('SIGINT', () => undefined);
  try {
    const { about, handlers } = await prepare();
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
  process.send?.(reply);
};

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
