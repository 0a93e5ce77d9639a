// A store of trajectories whose index is in PostgreSQL, with the bundled index thread, while the server is killed.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { trajectoryId } from '../../../../runtime/core/ids.ts';
import { WORKSPACE } from '../../../../runtime/data/files/places.ts';
import { PATIENCE } from '../../../patience.ts';
import { startPostgres } from '../../../postgres.ts';
import { opened } from '../../open-stores.ts';
import { folder, trajectory } from '../../trajectories.ts';

test('a store goes on storing while the server is away, and its index is complete afterwards', async () => {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  const index = { kind: 'postgres', url: server.url } as const;
  const root = folder();
  const { store, notices } = await opened({ root, index });
  await store.ingest(trajectory('before'));
  await store.label(trajectoryId('before'), { kind: 'note', text: 'kept' }, 'ada');
  expect((await store.index.row(trajectoryId('before')))?.note).toBe('kept');
  await server.kill();
  for (const id of ['a', 'b', 'c', 'd']) await store.ingest(trajectory(id));
  await expect(store.index.volume()).rejects.toThrow(
    /in PostgreSQL at .* cannot be used: .*Start or correct/,
  );
  // One message per outage, not per trajectory.
  expect(notices).toHaveLength(1);
  await server.restart();
  await expect.poll(() => store.index.volume().then(({ count }) => count), PATIENCE).toBe(5);
  await store.label(trajectoryId('d'), { kind: 'verdict', success: false }, 'ada');
  expect((await store.index.row(trajectoryId('d')))?.outcome).toBe('failure');
  await store.close();

  const again = await opened({ root, index });
  expect(again.store.caughtUp).toEqual({ read: 0, complaints: [] });
  expect((await again.store.index.row(trajectoryId('before')))?.note).toBe('kept');
  await again.store.close();

  rmSync(join(root, WORKSPACE));
  const rebuilt = await opened({ root, index });
  expect(rebuilt.store.caughtUp).toEqual({ read: 5, complaints: [] });
  expect((await rebuilt.store.index.row(trajectoryId('d')))?.outcome).toBe('failure');
  await rebuilt.store.close();
});
