// The index on a PostgreSQL server that is killed, that several workspaces share, and that hangs.

import { appendFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { runId, trajectoryId } from '../../../../runtime/core/ids.ts';
import { seeded } from '../../../../runtime/core/rng.ts';
import { systemClock } from '../../../../runtime/core/system-clock.ts';
import { markOf } from '../../../../runtime/data/files/marks.ts';
import { LEDGER, MARKS } from '../../../../runtime/data/files/places.ts';
import { ledgerLineOf } from '../../../../runtime/data/files/summary.ts';
import { Catalogue } from '../../../../runtime/data/index/catalogue.ts';
import type { IndexPlace } from '../../../../runtime/data/index/place.ts';
import { PostgresConnection } from '../../../../runtime/data/index/postgres/connection.ts';
import { postgresReport } from '../../../../runtime/data/index/postgres/report.ts';
import { ReopenedIndex } from '../../../../runtime/data/index/reopened-index.ts';
import { PATIENCE } from '../../../patience.ts';
import { type PostgresServer, startPostgres } from '../../../postgres.ts';
import { folder, judged, step, trajectory } from '../../trajectories.ts';
import { headOf, rowOf, write } from '../filled-index.ts';
import { answersOf } from './answers.ts';

let server: PostgresServer;
let place: IndexPlace & { readonly url: string };
beforeAll(async () => {
  server = await startPostgres();
  place = { kind: 'postgres', url: server.url };
});
afterAll(() => server.stop());

async function openIndex(root: string): Promise<Catalogue> {
  const catalogue = await Catalogue.open(root, undefined, place);
  onTestFinished(() => catalogue.close());
  return catalogue;
}

/** Calls need no context. */
const CONTEXT = { signal: new AbortController().signal, progress: () => undefined };

/** An index as its thread has it, and changes as the store makes them: durable first. */
async function openThread(root: string) {
  const index = await ReopenedIndex.open(() => Catalogue.open(root, undefined, place), systemClock);
  onTestFinished(() => index.handlers.close(undefined, CONTEXT));
  const ends = { [LEDGER]: 0, [MARKS]: 0 };
  const appended = (journal: keyof typeof ends, record: unknown): number => {
    const line = `${JSON.stringify(record)}\n`;
    appendFileSync(join(root, journal), line);
    ends[journal] += Buffer.byteLength(line);
    return ends[journal];
  };
  /** A change that the index loses is found again. */
  const sent = (change: Promise<unknown>) => change.catch(() => undefined);
  return {
    page: () =>
      index.handlers.page({ filter: {}, sort: 'endedAt', descending: true, offset: 0, limit: 1 }, CONTEXT),
    add: (number: number) => {
      const each = numberedTrajectory(number);
      write(root, each);
      return sent(index.handlers.add(headOf(each), CONTEXT));
    },
    mark: (number: number, text: string) => {
      const mark = markOf({ kind: 'note', text }, trajectoryId(`t${number}`), 'ada', number);
      return sent(index.handlers.mark({ mark, end: appended(MARKS, mark) }, CONTEXT));
    },
    /** As after a crash between ledger and deletion: the next opening deletes the file. */
    forget: (number: number) => {
      const line = ledgerLineOf(rowOf(numberedTrajectory(number)), 10_000);
      return sent(index.handlers.forget({ lines: [line], end: appended(LEDGER, line) }, CONTEXT));
    },
  };
}

const numberedTrajectory = (number: number) =>
  trajectory(`t${number}`, {
    ...{ outcome: judged((number % 3) / 2), endedAt: 2000 + number },
    steps: [step(number, (number % 100) / 100)],
  });

test('a server that is killed in the middle of changes loses none: the index equals a rebuilt one', async () => {
  const root = folder();
  const random = seeded('killed servers');
  const index = await openThread(root);
  let [number, forgotten] = [0, 0];
  for (let round = 0; round < 6; round++) {
    const kill = systemClock.sleep(random.int(120)).then(() => server.kill());
    const until = number + 30;
    while (number < until) {
      await index.add(number);
      if (number % 4 === 0) await index.mark(number, `note ${round}`);
      // One without a mark: a marked file stays.
      if (number % 9 === 8) await index.forget(4 * forgotten++ + 1);
      number += 1;
    }
    await kill;
    await server.restart();
    await expect.poll(() => index.page().then(({ total }) => total), ANSWERS).toBe(number - forgotten);
  }
  const rebuilt = await Catalogue.open(root);
  const live = await openIndex(root);
  expect(live.caughtUp).toEqual({ read: 0, complaints: [] });
  expect(await answersOf(live.queries)).toEqual(await answersOf(rebuilt.queries));
});

/** A query fails while the index waits before it connects again. */
const ANSWERS = { ...PATIENCE, interval: 200 };

test('an earlier opening of the same workspace cannot change it any more, and the later one can', async () => {
  const root = folder();
  const earlier = await openIndex(root);
  const later = await openIndex(root);
  await expect(earlier.add(headOf(trajectory('a')).head, 1)).rejects.toThrow('another process');
  await expect(earlier.queries.volume()).rejects.toThrow('another process');
  await later.add(headOf(trajectory('b')).head, 1);
  expect((await later.queries.volume()).count).toBe(1);
});

test('two workspaces share a database: each sees its own trajectories, and SQL sees those of both', async () => {
  const roots = [folder(), folder()];
  const both = await Promise.all(roots.map(openIndex));
  const names = ['first', 'second'];
  await Promise.all(
    both.map(async (catalogue, at) => {
      for (let number = 0; number <= at; number++) {
        const { head, bytes } = headOf(trajectory(`shared-${number}`, { run: runId(names[at] ?? '') }));
        await catalogue.add(head, bytes);
      }
    }),
  );
  expect(await Promise.all(both.map(({ queries }) => queries.volume().then(({ count }) => count)))).toEqual([
    1, 2,
  ]);
  const client = new Client({ connectionString: place.url });
  await client.connect();
  onTestFinished(() => client.end());
  const { rows } = await client.query(
    `SELECT folder, run, count(*)::int AS count, max(task) AS task, max(outcome) AS outcome, max(agent) AS agent,
      max(ended_at) AS ended FROM dartboard.trajectories WHERE id LIKE 'shared-%' GROUP BY folder, run ORDER BY run`,
  );
  const about = { task: 'notes-rename', outcome: 'success', agent: 'compact', ended: new Date(2000) };
  expect(rows).toEqual([
    { folder: roots[0], run: 'first', count: 1, ...about },
    { folder: roots[1], run: 'second', count: 2, ...about },
  ]);
});

test('a workspace lists the runs of the others, the latest first, and survives that one is built again', async () => {
  const [own, other] = [await openIndex(folder()), folder()];
  const shared = await openIndex(other);
  const add = async (index: Catalogue, id: string, rest: Parameters<typeof trajectory>[1]) => {
    const { head, bytes } = headOf(trajectory(id, rest));
    await index.add(head, bytes);
  };
  await add(own, 'fleet-own', { run: runId('fleet-own'), endedAt: 9000 });
  await add(shared, 'fleet-1', { run: runId('fleet-early'), endedAt: 3000 });
  for (const [number, score] of [1, 0, 1].entries())
    await add(shared, `fleet-late-${number}`, {
      ...{ run: runId('fleet-late'), purpose: 'evaluate', outcome: judged(score), endedAt: 4000 + number },
    });
  const fleet = async () => {
    const runs = (await own.queries.fleet()) ?? [];
    return runs.filter(({ folder }) => folder === other).map(({ machine: _, folder, ...run }) => run);
  };
  const early = {
    run: 'fleet-early',
    trajectories: 1,
    evaluations: 0,
    successes: 0,
    startedAt: 1000,
    endedAt: 3000,
  };
  const late = {
    run: 'fleet-late',
    trajectories: 3,
    evaluations: 3,
    successes: 2,
    startedAt: 1000,
    endedAt: 4002,
  };
  expect(await fleet()).toEqual([late, early]);
  const client = new Client({ connectionString: place.url });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(`UPDATE dartboard.workspaces SET version = NULL WHERE folder = '${other}'`);
  expect(await fleet()).toEqual([]);
});

test('many daemons open their indexes in an empty database at once', async () => {
  const client = new Client({ connectionString: place.url });
  await client.connect();
  await client.query('CREATE DATABASE empty');
  await client.end();
  const url = place.url.replace(/postgres$/, 'empty');
  const all = await Promise.all(
    Array.from({ length: 6 }, () => Catalogue.open(folder(), undefined, { kind: 'postgres', url })),
  );
  expect(await postgresReport(url, () => 0)).toMatchObject({
    ...{ workspaces: 6, trajectories: 0, encoding: 'UTF8', mayCreate: true },
  });
  await Promise.all(all.map(each => each.close()));
});

test('texts that PostgreSQL cannot store are stored in another form, and found', async () => {
  const text = 'NUL \0, half a pair \uD800, private \uE000, and 成功';
  const catalogue = await openIndex(folder());
  const odd = trajectory('odd', { instruction: text });
  await catalogue.add(headOf(odd).head, headOf(odd).bytes);
  await catalogue.mark(markOf({ kind: 'label', label: text }, odd.id, text, 1), 0);
  const row = await catalogue.queries.row(odd.id);
  expect([row?.instruction, row?.label]).toEqual([text, text]);
  const page = { sort: 'endedAt', descending: true, offset: 0, limit: 9 } as const;
  for (const part of ['\0', '\uD800', '\uE000', '成功', 'nul'])
    expect((await catalogue.queries.page({ filter: { text: part }, ...page })).total).toBe(1);
});

test('a server that stops answering is given up after a deadline, and every later call fails at once', async () => {
  const { hostname, port, pathname } = new URL(place.url);
  const sockets: Socket[] = [];
  const proxy = createServer(socket => {
    const behind = connect(Number(port), hostname);
    sockets.push(socket, behind);
    socket.on('error', () => undefined).pipe(behind);
    behind.on('error', () => undefined).pipe(socket);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  await new Promise(resolve => proxy.once('listening', resolve));
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  const url = `postgresql://dartboard@127.0.0.1:${address.port}${pathname}`;
  const connection = await PostgresConnection.open(url, {
    connectMs: 60_000,
    statementMs: 60_000,
    answerMs: 2000,
  });
  expect(await connection.all('SELECT ?::int', [7])).toEqual([[7]]);
  for (const socket of sockets) socket.unpipe();
  await expect(connection.all('SELECT 1')).rejects.toThrow(/127\.0\.0\.1:\d+\/postgres cannot be used/);
  for (const socket of sockets) socket.destroy();
  await expect(connection.all('SELECT 1')).rejects.toThrow('cannot be used');
});

test('a server that is away is reported with the reason and what to do', async () => {
  for (const host of ['127.0.0.1', 'localhost']) {
    const url = `postgresql://dartboard@${host}:1/postgres`;
    await expect(Catalogue.open(folder(), undefined, { kind: 'postgres', url })).rejects.toThrow(
      new RegExp(`${host}:1/postgres cannot be used: .*1.*Start or correct the server`),
    );
  }
});
