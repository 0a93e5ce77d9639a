// Opens the kind of desktops that a configuration names.

import type { Config } from '../../config/config.ts';
import { COMPACT_AGENT } from '../../core/agent.ts';
import type { Clock } from '../../core/clock.ts';
import { hostSettings } from '../../environments/docker/address.ts';
import { openDocker } from '../../environments/docker/open-docker.ts';
import { openGuest } from '../../environments/guest/open-guest.ts';
import { openOffline } from '../../environments/offline/open-offline.ts';
import { openWeb } from '../../environments/web/open-web.ts';
import type { DesktopKind } from '../../protocol/desktop-kinds.ts';
import { expertsIn } from '../expert-files.ts';
import { openPocketSuite } from '../suite.ts';
import { genericKind } from './host-generic.ts';
import type { HostKind } from './host-kind.ts';
import { pocketKind } from './host-pocket.ts';

export interface KindOptions {
  readonly run: string;
  readonly config: Config;
  readonly health: (thing: string, healthy: boolean, message: string) => void;
  readonly clock: Clock;
  /** An episode waits this long for a container; 60 s if absent. */
  readonly resetTimeoutMs?: number;
}

const KINDS: Readonly<Record<DesktopKind, (options: KindOptions) => Promise<HostKind>>> = {
  pocket: async ({ config }) => pocketKind(await openPocketSuite(config.suite.files, config.suite.phrasings)),
  docker: async ({ run, config, health, clock, resetTimeoutMs }) =>
    genericKind(
      await openDocker({
        ...config.environments.docker,
        agent: config.agent === COMPACT_AGENT ? 'compact' : 'model',
        ...{ owner: run, clock, health, settings: hostSettings(), resetTimeoutMs },
      }),
    ),
  web: async ({ config, health, clock }) =>
    genericKind(await openWeb({ ...config.environments.web, files: config.suite.files, clock, health })),
  guest: async ({ config, health, clock }) =>
    genericKind(
      await openGuest({
        ...config.environments.guest,
        ...{ mostAgeMinutes: config.environments.mostAgeMinutes, files: config.suite.files },
        ...{ hasElements: config.mode !== 'screenshot', clock, health },
      }),
    ),
  offline: async ({ config, health }) =>
    genericKind(
      openOffline({
        ...{ source: await expertsIn(config.suite.files), patches: config.environments.offline.patches },
        health,
      }),
    ),
};

/** Rejects when the kind is not available on this machine, with the reason and what to do. */
export const openKind = (options: KindOptions): Promise<HostKind> =>
  KINDS[options.config.environments.kind](options);
