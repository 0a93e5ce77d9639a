// Opens the kind of desktops that a configuration names.

import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { hostSettings } from '../environments/docker/address.ts';
import { openDocker } from '../environments/docker/open-docker.ts';
import type { Fabric } from '../fabric/fabric.ts';
import { genericKind } from './host-generic.ts';
import type { HostKind } from './host-kind.ts';
import { pocketKind } from './host-pocket.ts';
import { openPocketSuite } from './suite.ts';

export interface KindOptions {
  readonly run: string;
  readonly config: Config;
  readonly fabric: Pick<Fabric, 'events'>;
  readonly clock: Clock;
}

const KINDS: Readonly<Record<Config['environments']['kind'], (options: KindOptions) => Promise<HostKind>>> = {
  pocket: async ({ config }) => pocketKind(await openPocketSuite(config.suite.files)),
  docker: async ({ run, config, fabric, clock }) =>
    genericKind(
      await openDocker({
        ...config.environments.docker,
        ...{ owner: run, clock, settings: hostSettings() },
        health: (thing, healthy, message) =>
          fabric.events.publish({
            ...{ module: 'environments', at: clock.now(), kind: 'health' },
            ...{ thing, healthy, message },
          }),
      }),
    ),
};

/** Rejects when the kind is not available on this machine, with the reason and what to do. */
export const openKind = (options: KindOptions): Promise<HostKind> =>
  KINDS[options.config.environments.kind](options);
