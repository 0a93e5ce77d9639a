// A fleet over fake hosts, under a virtual clock.

import { seeded } from '../../../runtime/core/rng.ts';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import { containerSpec } from '../../../runtime/environments/docker/container-spec.ts';
import { Fleet, type FleetOptions } from '../../../runtime/environments/docker/fleet.ts';
import { Warden } from '../../../runtime/environments/docker/warden.ts';
import { FakeHost } from './fake-host.ts';

/** Connects to a desktop after this time. */
export const connectAfter =
  (ms: number): Required<FleetOptions>['connect'] =>
  async (host, id, clock) => {
    await clock.sleep(ms);
    return new Warden(await host.attach(id), { thing: id, clock });
  };

export const me = { place: 'lab', boot: 'monday', pid: 70, began: '', isAlive: (pid: number) => pid < 80 };

export const world = (
  seed: number,
  hosts: number,
  options: Partial<FleetOptions> & { readonly capacity: number },
) => {
  const clock = new VirtualClock();
  const random = seeded(seed);
  const engines = Array.from(
    { length: hosts },
    (_, index) => new FakeHost(`h${index}`, clock, random.fork(`${index}`)),
  );
  const healthReports: string[] = [];
  const open = () =>
    new Fleet({
      hosts: engines.map(host => ({ host, capacity: options.capacity })),
      spares: 1,
      image: 'image',
      spec: (name, labels) => containerSpec({ name, image: 'image', labels }),
      id: 'f1',
      owner: 'a run',
      me,
      takeTimeoutMs: 20_000,
      clock,
      health: (thing, healthy, message) =>
        healthReports.push(`${thing} ${healthy ? 'well' : 'ill'}: ${message}`),
      connect: connectAfter(100),
      ...options,
    });
  /** Advances the clock until the promise settles. */
  const wait = async <T>(promise: Promise<T>): Promise<T> => {
    let isOver = false;
    const over = promise.finally(() => {
      isOver = true;
    });
    over.catch(() => {});
    for (let turns = 0; !isOver && turns < 5000; turns += 1) await clock.run(clock.now() + 50);
    if (!isOver) throw new Error(`still waiting after ${clock.now()} ms`);
    return over;
  };
  const first = (): FakeHost => {
    const [host] = engines;
    if (host === undefined) throw new Error('no host');
    return host;
  };
  return { clock, random, engines, healthReports, open, wait, first };
};
