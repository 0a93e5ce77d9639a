// The process of a host that plays nothing: it gets ready, and works until it is asked to stop.

import { runModule } from '../../../runtime/run/module-child.ts';

runModule<unknown>(async (_, __, signal) => async () => {
  // A timer keeps the process alive, as the work of a real host does.
  const busy = setInterval(() => undefined, 60_000);
  await new Promise<void>(resolve => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  clearInterval(busy);
});
