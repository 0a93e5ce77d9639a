// The settings with which the machines of a run exchange data.

import * as z from 'zod';
import { MAX_LIST_ITEMS, text } from './descriptions.ts';

const FABRIC_KINDS = ['embedded', 'nats'] as const;

const server = text.regex(/^(?:nats|tls):\/\/[^\s/@?#]+$/).meta({
  patternErrorMessage: 'an address such as nats://host:4222 or tls://host:4222, without a password',
});

/** An address of HOST:PORT, with brackets around IPv6. */
const HOST_AND_PORT = /^(?:\[[0-9A-Fa-f:.]+\]|[^\s:/@]+):\d{1,5}$/;

/** Objects of a run are below PREFIX/RUN. */
const PREFIX = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

const blobs = z
  .strictObject({
    endpoint: text
      .regex(/^https?:\/\/[^\s/@?#]+$/)
      .meta({
        patternErrorMessage: 'an address such as https://s3.eu-central-1.amazonaws.com, without a path',
      })
      .describe('The address of the store, as the daemon and all joined hosts reach it. It has no default.'),
    bucket: text
      .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/)
      .meta({ patternErrorMessage: "3 to 63 lower-case letters, digits, '-' and '.'" })
      .describe('A bucket that exists. It has no default.'),
    region: text
      .regex(/^[A-Za-z0-9-]{1,50}$/)
      .meta({ patternErrorMessage: 'a name such as eu-central-1' })
      .describe('The region of the bucket. Default: us-east-1.')
      .exactOptional(),
    prefix: text
      .regex(PREFIX)
      .meta({ patternErrorMessage: "1 to 100 letters, digits, '.', '_' and '-'" })
      .describe('All objects are below it. Default: dartboard.')
      .exactOptional(),
  })
  .describe(
    'An S3-compatible store for weights and large trajectories. Its key is in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY of the daemon. Default: the daemon stores and serves them itself.',
  )
  .exactOptional();

export const fabric = z
  .strictObject({
    kind: z
      .enum(FABRIC_KINDS)
      .describe(
        'Which machines play. `embedded` is this one alone; with `nats`, others can join the run through servers of NATS with JetStream.',
      ),
    servers: z
      .array(server)
      .min(1)
      .max(MAX_LIST_ITEMS)
      .refine(
        servers => new Set(servers).size === servers.length,
        'Two servers have the same address. Name each server once.',
      )
      .describe('The servers of one NATS cluster. `dartboard up` starts one on this machine.'),
    credentials: text
      .describe(
        'A file with the credentials of the daemon and of joined hosts for NATS, relative to the workspace; `dartboard up` writes one. Default: none, for servers that accept everybody.',
      )
      .exactOptional(),
    listen: text
      .regex(HOST_AND_PORT)
      .meta({ patternErrorMessage: 'an address and a port, such as 0.0.0.0:7070' })
      .describe(
        'Where other machines join and exchange files over HTTP, as ADDRESS:PORT, for the kind `nats`. Port 0 chooses a free one. An address of the network needs TLS.',
      ),
    blobs,
  })
  .describe('How the machines of a run exchange data.');
