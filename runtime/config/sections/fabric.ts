// The settings with which the machines of a run exchange data.

import * as z from 'zod';
import { MAX_LIST_ITEMS, text } from './descriptions.ts';

const FABRIC_KINDS = ['embedded', 'nats'] as const;

const server = text.regex(/^(?:nats|tls):\/\/[^\s/@?#]+$/).meta({
  patternErrorMessage: 'an address such as nats://host:4222 or tls://host:4222, without a password',
});

/** An address of HOST:PORT, with brackets around IPv6. */
const HOST_AND_PORT = /^(?:\[[0-9A-Fa-f:.]+\]|[^\s:/@]+):\d{1,5}$/;

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
  })
  .describe('How the machines of a run exchange data.');
