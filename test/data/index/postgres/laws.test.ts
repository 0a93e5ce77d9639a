// All tests of the index again, on a PostgreSQL server.

import { afterAll, beforeAll } from 'vitest';
import { startPostgres } from '../../../postgres.ts';
import { useIndexPlace } from '../filled-index.ts';
import '../agent-queries.test.ts';
import '../catalogue.test.ts';
import '../catching-up.test.ts';
import '../pool-queries.test.ts';
import '../step-queries.test.ts';
import '../suggestions.test.ts';

const server = startPostgres();

beforeAll(async () => useIndexPlace({ kind: 'postgres', url: (await server).url }));
afterAll(async () => (await server).stop());
