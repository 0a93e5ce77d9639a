// The module's side of its process: gets its options and the fabric, prepares, reports that it is ready, works until it is asked to stop,
// and ends. The entry that calls this decides what the module does.

import { messageOf } from '../core/errors.ts';
import { systemClock } from '../core/system-clock.ts';
import type { Fabric } from '../fabric/fabric.ts';
import { remoteFabric } from '../fabric/remote/client.ts';
import { batched } from '../rpc/batched-port.ts';
import { childPort } from '../rpc/child-port.ts';
import { endWithParent } from '../rpc/child-server.ts';
import { serve } from '../rpc/server.ts';
import { FABRIC_PORT, MODULE_PORT } from './module-process.ts';

/**
 * Prepares a module and returns its work, which ends when the signal is aborted: the daemon asks it to stop, or is gone. Then the process
 * exits, and everything that it holds of the fabric is given back. An error is reported and ends the process too. The exit does not depend on
 * the broker: orders that cannot be given back now are played again when their leases end.
 */
type Module<Start> = (start: Start, fabric: Fabric, signal: AbortSignal) => Promise<() => Promise<void>>;

/** More than a broker that answers needs, and less than the supervisor waits. */
const LEAVE_TIMEOUT_MS = 5000;

export function runModule<Start>(prepare: Module<Start>): void {
  const fabric = remoteFabric(batched(childPort(process, FABRIC_PORT)));
  const stop = new AbortController();
  let running: Promise<void> | undefined;
  let exiting: Promise<never> | undefined;

  const end = async (code: number): Promise<never> => {
    // The daemon answers in order, so by then it has everything that was sent before.
    await left(fabric);
    // At exit Node resets the terminal that it inherited, and crashes if that is gone: the work is done by then.
    if (code === 0) server.notify('finished', undefined);
    process.exit(code);
  };
  /** Once: a failure during the exit does not start it anew. */
  const exit = (code: number): Promise<never> => {
    exiting ??= end(code);
    return exiting;
  };
  const fail = (error: unknown) => {
    server.notify('failed', messageOf(error));
    void exit(1);
  };
  const run = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      // Work that was interrupted by the request to stop has not failed.
      if (error !== stop.signal.reason) return fail(error);
    }
    await exit(0);
  };
  const server = serve(
    childPort(process, MODULE_PORT),
    {
      start: async (start: Start) => {
        try {
          const work = await prepare(start, fabric, stop.signal);
          running = run(work);
        } catch (error) {
          if (error === stop.signal.reason) await exit(0);
          fail(error);
          throw error;
        }
      },
      stop: async () => stop.abort(),
    },
    { heartbeats: systemClock },
  );
  process.on('uncaughtException', fail);
  endWithParent(async () => {
    stop.abort();
    await running;
  });
}

/** Never rejects: a process that ends gives back what it can. */
async function left(fabric: Fabric): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  // Unlike that of the system clock, this timer keeps the process alive until it fires.
  const expired = new Promise<void>(resolve => {
    timer = setTimeout(resolve, LEAVE_TIMEOUT_MS);
  });
  // The process ends, whatever became of its channels.
  await Promise.race([fabric.close(), expired]).catch(() => undefined);
  clearTimeout(timer);
}
