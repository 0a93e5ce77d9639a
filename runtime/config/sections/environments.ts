// The desktops of a run.

import * as z from 'zod';
import { MAX_RUN_MINUTES } from '../../protocol/daemon/state.ts';
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
    memoryMb: counts(128, 1_000_000).describe('Memory of a desktop in megabytes, including its files.'),
    spares: counts(0, 1000).describe(
      'Containers in reserve on each host, so that an episode does not wait for a container to start.',
    ),
  })
  .describe('Desktops in containers, for the kind `docker`.');

export const environments = z
  .strictObject({
    kind: z
      .enum(['pocket', 'docker'])
      .describe(
        'The kind of desktop. `pocket` is built in and needs no installation; `docker` runs real applications in containers.',
      ),
    desktops: counts(1, 10_000).describe('Desktops of training. Default: 32, or 8 of the kind `docker`.'),
    mostEpisodes: counts(1, 1_000_000).describe('A desktop is replaced after this many episodes.'),
    mostAgeMinutes: z
      .number()
      .gt(0)
      .max(MAX_RUN_MINUTES)
      .describe('A desktop is replaced after this many minutes.'),
    docker,
  })
  .describe('The desktops.');
