// The desktops of a run.

import * as z from 'zod';
import { MAX_RUN_MINUTES } from '../../protocol/daemon/state.ts';
import { counts } from './descriptions.ts';

const host = z.strictObject({
  address: z
    .string()
    .min(1)
    .describe(
      'Where the engine is: `local`, or as in DOCKER_HOST: unix:///path, ssh://user@host, tcp://host:port.',
    ),
  capacity: counts(1, 100_000).describe('Containers that it may hold at once, spares included.'),
  certificates: z
    .string()
    .min(1)
    .exactOptional()
    .describe('The folder with ca.pem, cert.pem and key.pem, for an engine that is reached by tcp.'),
});

const docker = z
  .strictObject({
    hosts: z
      .array(host)
      .min(1)
      .refine(
        hosts => new Set(hosts.map(({ address }) => address)).size === hosts.length,
        'Two of the hosts have the same address; name each engine once.',
      )
      .describe(
        'The Docker engines that desktops run on. By default the engine of this machine, with room for all of them.',
      ),
    image: z
      .string()
      .min(1)
      .describe(
        'What a desktop runs: `small` or `large`, which Dartboard brings along, or the tag of an image.',
      ),
    memoryMb: counts(128, 1_000_000).describe('Memory of one desktop, in megabytes, its files included.'),
    spares: counts(0, 1000).describe(
      'Containers that are kept ready on each host, so that an episode does not wait for one to start.',
    ),
  })
  .describe('Desktops in containers, where `kind` is `docker`.');

export const environments = z
  .strictObject({
    kind: z
      .enum(['pocket', 'docker'])
      .describe(
        'The kind of desktop. `pocket` is built in and needs no installation; `docker` runs real applications in containers.',
      ),
    desktops: counts(1, 10_000).describe(
      'Desktops that episodes run on at once. By default 32, and 8 of the kind `docker`.',
    ),
    mostEpisodes: counts(1, 1_000_000).describe('After so many episodes a desktop is made anew.'),
    mostAgeMinutes: z
      .number()
      .gt(0)
      .max(MAX_RUN_MINUTES)
      .describe('After so many minutes a desktop is made anew.'),
    docker,
  })
  .describe('The desktops.');
