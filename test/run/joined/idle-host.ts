// The process of a host that plays nothing: it gets ready, takes one order, and keeps it until it is asked to stop.

import { runModule } from '../../../runtime/run/module-child.ts';

runModule<unknown>(async (_, fabric, signal) => async () => {
  // A timer keeps the process alive, as the work of a real host does.
  const busy = setInterval(() => undefined, 60_000);
  const orders = fabric.orders.taker();
  orders.take(signal).catch(() => undefined);
  await new Promise<void>(resolve => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  clearInterval(busy);
});
