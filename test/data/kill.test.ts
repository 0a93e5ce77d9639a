// Real processes and files: acknowledged data survives a kill at any moment.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { trajectoryId } from '../../runtime/core/ids.ts';
import { seeded } from '../../runtime/core/rng.ts';
import { LEDGER } from '../../runtime/data/files/places.ts';
import { parseLedgerLine } from '../../runtime/data/files/summary.ts';
import { readLines } from '../../runtime/data/index/journal-lines.ts';
import { INDEX_ENTRY, opened } from './open-stores.ts';
import { folder, step, trajectory } from './trajectories.ts';

const KILLS = 20;

test('a kill at any moment loses no acknowledged data', async () => {
  const [root, bundles] = [folder(), folder()];
  const program = join(bundles, 'child.mjs');
  const entry = fileURLToPath(new URL('./ingesting-child.ts', import.meta.url));
  await build({ entryPoints: [entry], outfile: program, bundle: true, platform: 'node', format: 'esm' });

  const random = seeded('kills');
  const told: string[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    told.push(...(await killed(program, root, kill, random.int(60))));
  }
  const idsOf = (word: string) =>
    told.filter(line => line.startsWith(`${word} `)).map(line => trajectoryId(line.slice(word.length + 1)));
  const [ingested, labelled] = [idsOf('ingested'), idsOf('labelled')];
  expect(labelled.length).toBeGreaterThan(0);

  const { store, notices } = await opened({ root });
  const deleted = new Set<string>();
  await readLines(join(root, LEDGER), 0, parseLedgerLine, async ({ id }) => void deleted.add(id));
  const kept = new Map<string, string | undefined>();
  for (const id of ingested) {
    const row = await store.index.row(id);
    if (row === undefined) expect(deleted, `${id} is neither kept nor in the ledger`).toContain(id);
    else {
      expect(deleted).not.toContain(id);
      kept.set(id, row.label);
      expect((await store.read(id)).steps).toEqual(STEPS);
    }
  }
  // What was labelled is never deleted.
  for (const id of labelled) expect(kept.get(id), `the label of ${id}`).toBe('kept');
  // Every one counts once, wherever it is now.
  const [rate] = await store.index.rates({ filter: {} });
  const { total } = await store.index.page(ALL);
  expect(total + deleted.size).toBeGreaterThanOrEqual(ingested.length);
  expect(rate?.trials).toBe(total + deleted.size);
  for (const notice of notices) expect(notice).toContain('an incomplete record');
});

const STEPS = [step(1, 0.5), step(2, 0.25)];
const ALL = { filter: {}, sort: 'endedAt', descending: true, offset: 0, limit: 1 } as const;

/** Starts a process, kills it after this much output, and returns the output. */
async function killed(
  program: string,
  root: string,
  round: number,
  after: number,
): Promise<readonly string[]> {
  const template = JSON.stringify(trajectory('template', { steps: STEPS, endedAt: 1000 * round }));
  const args = [program, root, fileURLToPath(INDEX_ENTRY), `round-${round}`, template];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const told: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    told.push(line);
    // What it still says before it is gone was true as well.
    if (told.length > after) child.kill('SIGKILL');
  }
  await ended;
  expect(told[0]).toBe('open');
  return told;
}
