import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { printDecisions } from '../../runtime/cli/runs-decisions.ts';
import { defaults } from '../../runtime/config/presets.ts';
import { groupId, type RunId, seed, taskId } from '../../runtime/core/ids.ts';
import type { LoggedDecision } from '../../runtime/data/files/decision-lines.ts';
import { RotatingLog } from '../../runtime/data/files/rotating-log.ts';
import { DECISIONS_FILE, RUN_FILE, RunFolders } from '../../runtime/run/folders/run-folders.ts';
import { playedState, STARTED } from '../server/played-state.ts';
import { file } from './terminal/screen.ts';

let root: string;
let folders: RunFolders;
let run: RunId;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'dartboard-decisions-'));
  folders = new RunFolders(root);
  run = await folders.create(new Date(STARTED), 'seven');
  const { seconds, of, about } = playedState(300);
  await folders.write({ run, status: 'ended', startedAt: STARTED, seconds, of, about, config: defaults({}) });
});
afterEach(() => rm(root, { recursive: true }));

async function shown(more: { name?: string; task?: string; last?: number; json?: boolean } = {}) {
  const output = file();
  const { name, task, last = 50, json = false } = more;
  const options = { name, ...(task !== undefined && { task }), last, json };
  await printDecisions({ output, environment: {} }, folders, options);
  return output.text;
}

async function decided(): Promise<void> {
  const log = new RotatingLog<LoggedDecision>(join(folders.path(run), DECISIONS_FILE));
  for (const [number, task] of ['mail-star', 'note-add', 'mail-star'].entries())
    log.note({
      ...{ at: STARTED + number, kind: 'ordered', group: groupId(`${run}.g${number}`), why: 'its turn' },
      ...{ instance: { task: taskId(task), seed: seed(number) }, rollouts: 8, maxSteps: 6 },
    });
  await log.flush();
}

test('the newest run is the default; a task and a number filter its decisions', async () => {
  await decided();
  expect((await shown()).trim().split('\n')).toHaveLength(3);
  expect((await shown({ name: run, task: 'mail-star' })).match(/mail-star \d/g)).toEqual([
    'mail-star 0',
    'mail-star 2',
  ]);
  expect((await shown({ last: 1 })).match(/g\d/g)).toEqual(['g2']);
});

test('a run with a damaged run.json has its decisions', async () => {
  await decided();
  await writeFile(join(folders.path(run), RUN_FILE), '{');
  expect((await shown({ name: run })).trim().split('\n')).toHaveLength(3);
});

test('with --json each decision is one line', async () => {
  await decided();
  const lines = (await shown({ json: true })).trim().split('\n');
  expect(lines.map(line => JSON.parse(line).rollouts)).toEqual([8, 8, 8]);
});

test('a run without decisions is reported; an unknown run is an error', async () => {
  expect(await shown({ task: 'x' })).toBe(`Run '${run}' has no decisions about task 'x'.\n`);
  await expect(shown({ name: 'none' })).rejects.toThrow("No run is called 'none'");
  await folders.delete(run, STARTED);
  await expect(shown()).rejects.toThrow('This folder has no runs');
});
