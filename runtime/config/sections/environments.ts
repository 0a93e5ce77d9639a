// The desktops of a run.

import * as z from 'zod';
import { SCREEN_SIZES } from '../../environments/docker/screen-size.ts';
import { MAX_RUN_MINUTES } from '../../protocol/daemon/state.ts';
import { DESKTOP_KINDS } from '../../protocol/desktop-kinds.ts';
import { counts, MAX_LIST_ITEMS, text } from './descriptions.ts';

const host = z.strictObject({
  address: text.describe(
    'The address of the engine: `local`, or as in DOCKER_HOST: unix:///path, ssh://user@host, tcp://host:port.',
  ),
  capacity: counts(1, 100_000).describe('The most containers at a time, including spares.'),
  certificates: text
    .exactOptional()
    .describe('The folder with ca.pem, cert.pem and key.pem, for an engine at a tcp address.'),
});

const docker = z
  .strictObject({
    hosts: z
      .array(host)
      .min(1)
      .max(MAX_LIST_ITEMS)
      .refine(
        hosts => new Set(hosts.map(({ address }) => address)).size === hosts.length,
        'Two hosts have the same address. Name each engine once.',
      )
      .describe(
        'The Docker engines of the desktops. Default: the engine of this machine, with room for all desktops.',
      ),
    image: text.describe(
      'The image of a desktop: `small` or `large`, which Dartboard provides, or the tag of another one.',
    ),
    memoryMb: counts(128, 1_000_000).describe(
      'Memory of a desktop in megabytes, including its files. Default: 512, or 1024 for the image `large`.',
    ),
    screen: z
      .enum(SCREEN_SIZES)
      .describe('The size of the screen in pixels. Default: 640x480, or 1280x720 for the image `large`.'),
    spares: counts(0, 1000).describe(
      'Containers in reserve on each host, so that an episode does not wait for a container to start.',
    ),
  })
  .describe('Desktops in containers, for the kind `docker`.');

const side = (name: string) => counts(64, 4096).describe(`The ${name} of a page in pixels.`);

const web = z
  .strictObject({
    browser: text.describe(
      'The program of the browser: Chrome, Chromium, Edge or chromium-headless-shell; `auto` searches this machine.',
    ),
    contextsPerBrowser: counts(1, 1000).describe(
      'Desktops that share one browser process. Each has cookies and storage of its own.',
    ),
    size: z
      .strictObject({ width: side('width'), height: side('height') })
      .describe('The size of a desktop. Pages of MiniWoB++ have a size of their own.'),
    allow: z
      .array(text)
      .max(MAX_LIST_ITEMS)
      .refine(hosts => new Set(hosts).size === hosts.length, 'The list has a duplicate. Name each host once.')
      .describe(
        'The hosts that tasks may reach at most, such as `example.org`. The network is off for all others.',
      ),
    miniwob: text
      .exactOptional()
      .describe(
        'A folder with the pages of MiniWoB++, relative to the workspace. Its tasks are added to the built-in ones. Default: none.',
      ),
  })
  .describe('Desktops in a browser, for the kind `web`.');

const port = (what: string) => counts(1, 65_535).describe(`The port of ${what}.`);

const guest = z
  .strictObject({
    hosts: z
      .array(
        z.strictObject({
          address: z
            .url({ protocol: /^https?$/ })
            .meta({ patternErrorMessage: 'an address such as http://192.168.7.2:5000' })
            .describe('The address of the server in the guest, such as `http://192.168.7.2:5000`.'),
          browserPort: port("the browser's debugging interface"),
          vlcPort: port("VLC's web interface"),
        }),
      )
      .max(MAX_LIST_ITEMS)
      .refine(
        hosts => new Set(hosts.map(({ address }) => address.replace(/\/+$/, ''))).size === hosts.length,
        'Two hosts have the same address. Name each guest once.',
      )
      .describe('The machines that serve the HTTP API of OSWorld. Each is one desktop. Default: none.'),
    revert: text
      .exactOptional()
      .describe(
        'A command that restores a guest before each episode, such as a revert to a snapshot. `$DARTBOARD_GUEST` is the address of the guest. Default: none; then an episode begins in the state that the last one left.',
      ),
    password: text.describe("The password of the guest's user, which set-up steps of tasks may need."),
    mirror: text
      .exactOptional()
      .describe(
        'A folder with the files that tasks download: `HOST/PATH` for `https://HOST/PATH`, and `urls.json` for addresses with a query. Default: none.',
      ),
    network: z.boolean().describe('Downloads files of tasks that are not in the mirror.'),
    downloads: text.describe('A folder that keeps downloaded files, relative to the workspace.'),
    mostScreenshots: counts(1, 10_000_000).describe(
      'A guest without `revert` is reported after this many screenshots, because guests become slow.',
    ),
    judgeDelaySeconds: counts(0, 120).describe(
      'How long a guest rests before an episode is judged, so that its programs finish what they write.',
    ),
  })
  .describe("Machines that serve OSWorld's HTTP API, for the kind `guest`.");

const offline = z
  .strictObject({
    patches: counts(0, 1000).describe(
      'How often the action of the stored trajectory replaces another one in an episode of training. After that, the episode ends at the first difference. Default: 2, or 1000 with the recipes `mobile-r1` and `craft-gui`.',
    ),
  })
  .describe('Stored trajectories instead of desktops, for the kind `offline`.');

export const environments = z
  .strictObject({
    kind: z
      .enum(DESKTOP_KINDS)
      .describe(
        'The kind of desktop. `pocket` is built in and needs no installation; `docker` runs real applications in containers; `web` shows pages in a headless browser; `guest` drives machines that serve the HTTP API of OSWorld; `offline` plays stored trajectories, without any desktop.',
      ),
    desktops: counts(1, 10_000).describe(
      'Desktops of training. Default: 32, or 16 for agents that reply in tokens; 8 of the kinds `docker`, `web` and `offline`; 1 of the kind `guest`.',
    ),
    mostEpisodes: counts(1, 1_000_000).describe('A desktop is replaced after this many episodes.'),
    mostAgeMinutes: z
      .number()
      .gt(0)
      .max(MAX_RUN_MINUTES)
      .describe('A desktop is replaced after this many minutes.'),
    docker,
    web,
    guest,
    offline,
  })
  .describe('The desktops.');
