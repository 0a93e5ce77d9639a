// Opens the guests of a run: their tasks, and the desktops on them.

import type { Clock } from '../../core/clock.ts';
import { BoundaryError } from '../../core/failure.ts';
import { KeptDownloads } from '../osworld/downloads.ts';
import { networkOf } from '../osworld/network.ts';
import { osworldSuite } from '../osworld/suite.ts';
import type { TaskRun } from '../osworld/task-run.ts';
import type { DesktopProvider } from '../provider.ts';
import { GuestDesktop, screenshotOf } from './desktop.ts';
import { GuestApi } from './guest-api.ts';
import { GuestBrowser } from './guest-browser.ts';
import { GuestHost } from './guest-host.ts';
import { GuestList } from './guest-list.ts';
import { GuestMachine } from './guest-machine.ts';
import { runRevert } from './revert-command.ts';
import { vlcStatus } from './vlc-status.ts';

export interface GuestAddressSettings {
  /** Such as `http://192.168.7.2:5000`. */
  readonly address: string;
  readonly browserPort: number;
  readonly vlcPort: number;
}

export interface GuestOptions {
  readonly hosts: readonly GuestAddressSettings[];
  readonly revert?: string | undefined;
  readonly password: string;
  readonly mirror?: string | undefined;
  readonly network: boolean;
  readonly mostScreenshots: number;
  readonly mostAgeMinutes: number;
  readonly judgeDelaySeconds: number;
  /** The folder of the task files. */
  readonly files: string | undefined;
  /** Keeps downloaded files. */
  readonly downloads: string;
  readonly hasElements: boolean;
  readonly clock: Clock;
  readonly health: (thing: string, healthy: boolean, message: string) => void;
}

const MAX_REPORTED = 5;

/** Rejects with a BoundaryError or a TaskFileError. */
export async function openGuest(options: GuestOptions): Promise<DesktopProvider> {
  const { hosts, files, health } = options;
  if (files === undefined)
    throw providerError("no tasks. Set 'suite.files' to a folder of OSWorld's task files.");
  const suite = await osworldSuite(files);
  for (const { file, missing } of suite.left.slice(0, MAX_REPORTED))
    health('tasks', false, `${file} is left out: ${missing.join('; ')}`);
  if (suite.left.length > MAX_REPORTED)
    health(
      'tasks',
      false,
      `${suite.left.length - MAX_REPORTED} more files are left out. See dartboard doctor --tasks ${files}.`,
    );
  const shared = sharedParts(options, files);
  const guests = new GuestList(
    hosts.map(host => guestOf(host, options, shared)),
    options,
  );
  return {
    suite,
    make: async id => {
      const guest = await guests.take();
      return new GuestDesktop(id, {
        ...guest,
        ...{ clock: options.clock, hasElements: options.hasElements },
        judgeDelayMs: options.judgeDelaySeconds * 1000,
        release: () => guests.release(guest),
      });
    },
    isScripted: () => false,
    solver: ({ task }) => {
      throw new BoundaryError({
        ...{ boundary: 'task', thing: task },
        message: "OSWorld's tasks have no scripted solutions. Set 'demonstrations' to 0.",
      });
    },
    close: async () => undefined,
  };
}

const providerError = (message: string): BoundaryError =>
  new BoundaryError({ boundary: 'provider', thing: 'guests', message, isPermanent: true });

type SharedParts = Omit<TaskRun, 'machine' | 'cache'>;

function sharedParts(
  { clock, mirror, network, downloads, password }: GuestOptions,
  folder: string,
): SharedParts {
  return {
    ...{ clock, folder, password },
    now: () => new Date(),
    timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    downloads: new KeptDownloads({
      mirror,
      folder: downloads,
      network: network ? networkOf(clock) : undefined,
    }),
  };
}

function guestOf(
  { address, browserPort, vlcPort }: GuestAddressSettings,
  options: GuestOptions,
  shared: SharedParts,
) {
  const { clock, revert, health, mostAgeMinutes, mostScreenshots } = options;
  const api = new GuestApi({ url: address, clock });
  const { protocol, hostname } = new URL(address);
  const browser = new GuestBrowser({ url: `${protocol}//${hostname}:${browserPort}`, clock });
  const vlc = () => vlcStatus(`${protocol}//${hostname}:${vlcPort}`);
  const machine = new GuestMachine({ api, browser, vlc });
  const host = new GuestHost({
    ...{ api, clock },
    screenshot: () => screenshotOf(api),
    revert:
      revert === undefined ? undefined : signal => runRevert({ command: revert, address, clock, signal }),
    limits: { ageMs: mostAgeMinutes * 60_000, screenshots: mostScreenshots },
    report: message => health(`guest ${address}`, false, message),
  });
  return { address, api, host, run: (): TaskRun => ({ ...shared, machine, cache: new Map() }) };
}
