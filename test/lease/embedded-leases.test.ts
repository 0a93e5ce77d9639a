import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { leaseLaws } from './contract.ts';
import { EmbeddedLeaseQueue } from './embedded-leases.ts';

leaseLaws('embedded', async ({ ttlMs }) => {
  const clock = new VirtualClock();
  const queue = new EmbeddedLeaseQueue<Uint8Array>({ ttlMs, clock });
  return {
    queue,
    another: async () => queue,
    pass: milliseconds => clock.run(clock.now() + milliseconds),
    close: async () => undefined,
  };
});
