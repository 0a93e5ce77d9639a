// An index whose database is lost and found again. Virtual time alone decides when it is opened.

import { expect, test } from 'vitest';
import { trajectoryId } from '../../../runtime/core/ids.ts';
import { Catalogue } from '../../../runtime/data/index/catalogue.ts';
import { DatabaseLost } from '../../../runtime/data/index/database.ts';
import { ReopenedIndex } from '../../../runtime/data/index/reopened-index.ts';
import { folder, trajectory } from '../trajectories.ts';
import { headOf, rowOf, write } from './filled-index.ts';

/** Calls need no context. */
const CONTEXT = { signal: new AbortController().signal, progress: () => undefined };

/** An index on a server that a test turns off. */
async function fragile() {
  const root = folder();
  const server = { isUp: true, attempts: 0, openings: 0, now: 0 };
  /** The connection of an opening does not survive an interruption. */
  const open = async () => {
    server.attempts += 1;
    if (!server.isUp) throw new DatabaseLost('the server is off');
    server.openings += 1;
    const opening = server.openings;
    const requireServer = () => {
      if (!server.isUp || server.openings !== opening) throw new DatabaseLost('the connection is lost');
    };
    const catalogue = await Catalogue.open(root);
    const { queries } = catalogue;
    const [row, add] = [queries.row, catalogue.add.bind(catalogue)];
    queries.row = async id => {
      requireServer();
      return await row(id);
    };
    catalogue.add = async (head, bytes) => {
      requireServer();
      await add(head, bytes);
    };
    return catalogue;
  };
  const { handlers } = await ReopenedIndex.open(open, { now: () => server.now });
  return {
    server,
    row: (id: string) => handlers.row(trajectoryId(id), CONTEXT),
    /** As the store does: the file is durable before the index hears of it. */
    add: (id: string) => {
      write(root, trajectory(id));
      return handlers.add(headOf(trajectory(id)), CONTEXT);
    },
    close: () => handlers.close(undefined, CONTEXT),
  };
}

/** Longer than all delays. */
const LONG_MS = 100_000;

test('a query over a lost connection is answered by an index that is opened again', async () => {
  const { row, add, server } = await fragile();
  await add('a');
  server.openings += 1;
  expect(await row('a')).toEqual(rowOf(trajectory('a')));
  expect(server.openings).toBe(3);
});

test('changes while the server is away are reported once, and found afterwards', async () => {
  const { row, add, server } = await fragile();
  server.isUp = false;
  await expect(add('a')).rejects.toThrow('the connection is lost');
  await add('b');
  await add('c');
  server.isUp = true;
  server.now += LONG_MS;
  await add('d');
  for (const id of ['a', 'b', 'c', 'd']) expect(await row(id)).toEqual(rowOf(trajectory(id)));
  expect(server.openings).toBe(2);
});

test('between two attempts to open the index queries fail at once, and the time between them grows', async () => {
  const { row, server } = await fragile();
  server.isUp = false;
  const attempts: number[] = [];
  for (; server.now < LONG_MS; server.now += 500) {
    const before = server.attempts;
    await expect(row('a')).rejects.toThrow(DatabaseLost);
    if (server.attempts > before) attempts.push(server.now);
  }
  const between = attempts.slice(1).map((time, index) => time - (attempts[index] ?? 0));
  expect(between.length).toBeGreaterThan(3);
  expect(between).toEqual(between.toSorted((a, b) => a - b));
  expect(new Set(between).size).toBe(between.length);
});

test('a lost index can be closed', async () => {
  const { row, server, close } = await fragile();
  server.isUp = false;
  await expect(row('a')).rejects.toThrow(DatabaseLost);
  await close();
});
