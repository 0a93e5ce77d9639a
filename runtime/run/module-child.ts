// The side of a module's process: gets its options and the fabric, prepares, says that it is ready, works until it is asked to stop,
// and ends. What the module does is told by its entry, the one file that calls this.

import { BoundaryError } from '../core/failure.ts';
import { systemClock } from '../core/system-clock.ts';
import type { Fabric } from '../fabric/fabric.ts';
import { gathered } from '../fabric/remote/batched-port.ts';
import { remoteFabric } from '../fabric/remote/client.ts';
import { leaveSignalsToParent } from '../rpc/ignore-signals.ts';
import { childPort } from './child-port.ts';
import { FABRIC_PORT, type FromModule, MODULE_PORT, type ToModule } from './module-messages.ts';

/** Milliseconds for a module whose daemon is gone: nobody is left who would end it. */
const LAST = 10_000;

/**
 * Prepares a module, and gives what it then does until the signal is aborted: because the daemon asks it to stop, or is gone. When
 * that has ended, so does the process, and what it still holds of the fabric is given back. An error ends it too, and is reported.
 */
type Module<Start> = (start: Start, fabric: Fabric, signal: AbortSignal) => Promise<() => Promise<void>>;

export function runModule<Start>(prepare: Module<Start>): void {
  const daemon = childPort(process, MODULE_PORT);
  const fabric = remoteFabric(gathered(childPort(process, FABRIC_PORT)));
  const stop = new AbortController();
  const say = (message: FromModule) => daemon.send(message);
  const end = async (code: number) => {
    // It answers in turn, so whatever was said before has arrived by then.
    await fabric.close();
    process.exit(code);
  };
  const fail = (error: unknown) => {
    say({ kind: 'failed', message: inWords(error) });
    void end(1);
  };
  const live = async (start: Start) => {
    try {
      const work = await prepare(start, fabric, stop.signal);
      say({ kind: 'ready' });
      await work();
    } catch (error) {
      // That it could not go on because it was asked to stop is no error.
      if (error !== stop.signal.reason) return fail(error);
    }
    await end(0);
  };

  leaveSignalsToParent();
  process.on('uncaughtException', fail);
  daemon.closed(() => {
    stop.abort();
    void systemClock.sleep(LAST).then(() => process.exit(1));
  });
  daemon.receive(message => {
    const told = message as ToModule;
    if (told.kind === 'stop') stop.abort();
    else void live(told.start as Start);
  });
}

/** For a user, who knows what broke by its name, and not what we call its sort. */
function inWords(error: unknown): string {
  if (error instanceof BoundaryError) return `${error.failure.thing}: ${error.failure.message}`;
  return error instanceof Error ? error.message : String(error);
}
