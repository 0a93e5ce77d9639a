// The messages that the official SDK made: fixtures/make.py.

import { readFileSync } from 'node:fs';
import * as z from 'zod';

const message = { name: z.string(), json: z.unknown() };
const encoded = { ...message, hex: z.string() };

const schema = z.array(
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('request'), ...encoded, route: z.enum(['forward', 'forward_backward']) }),
    z.object({ kind: z.literal('result'), ...encoded }),
    z.object({ kind: z.literal('samples'), ...encoded }),
    z.object({ kind: z.literal('control'), ...message }),
  ]),
);

export const GOLDEN = schema.parse(
  JSON.parse(readFileSync(new URL('fixtures/golden.json', import.meta.url), 'utf8')),
);
