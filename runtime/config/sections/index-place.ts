// The place of the trajectory index.

import * as z from 'zod';
import { secretUrl } from './descriptions.ts';

const INDEX_KINDS = ['embedded', 'postgres'] as const;

const url = secretUrl(
  ['postgres:', 'postgresql:'],
  'This address of a database is invalid. Write one such as postgresql://user@host:5432/dartboard.',
  ({ password, searchParams }) =>
    password !== '' || searchParams.has('password')
      ? 'This address of a database contains a password, which would be committed with the file. Remove it, and set the environment variable PGPASSWORD or write a file .pgpass.'
      : undefined,
);

export const index = z
  .strictObject({
    kind: z
      .enum(INDEX_KINDS)
      .describe(
        'The place of the trajectory index: `embedded` is a file of the workspace; `postgres` is a PostgreSQL server, which the workspaces of several people and machines can share. A change needs a restart of the daemon.',
      ),
    url: url
      .describe(
        'The database of the kind `postgres`, such as postgresql://user@host:5432/dartboard?sslmode=verify-full. The password is in the environment variable PGPASSWORD or in the file .pgpass. Default: none.',
      )
      .exactOptional(),
  })
  .describe('The place of the trajectory index of the workspace.');
