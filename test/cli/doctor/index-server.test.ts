// The doctor's check of the PostgreSQL server of the index.

import { expect, test } from 'vitest';
import { indexServer } from '../../../runtime/cli/doctor/index-server.ts';
import type { PostgresReport } from '../../../runtime/data/index/postgres/report.ts';

const REPORT: PostgresReport = {
  ...{ version: '15.14', roundTripMs: 0.42, encoding: 'UTF8', mayCreate: true },
  ...{ workspaces: 2, trajectories: 70 },
};

test.each<[string, Partial<PostgresReport> | Error, string, RegExp]>([
  ['a server that answers', {}, 'ok', /15\.14, 0\.4 ms.* 70 .* 2 /],
  ['a server that does not answer', new Error('refused'), 'problem', /refused/],
  ['another encoding', { encoding: 'LATIN1' }, 'problem', /LATIN1/],
  ['a user without rights', { mayCreate: false }, 'problem', /schemas/],
  ['a server far away', { roundTripMs: 80.4 }, 'warning', / 80 ms/],
])('%s', async (_, report, state, says) => {
  const found = await indexServer(async () => {
    if (report instanceof Error) throw report;
    return { ...REPORT, ...report };
  });
  expect(found).toMatchObject({ state, says: expect.stringMatching(says) });
});
