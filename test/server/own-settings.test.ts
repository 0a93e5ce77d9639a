// A resumed run of a model agent takes its agent, and the limit of the mismatch, from the workspace. Needs the bundle of the index that
// `npm test` builds first.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Config, parseConfig } from '../../runtime/config/config.ts';
import { tokenRecipe } from '../../runtime/config/token-recipe.ts';
import type { RunId } from '../../runtime/core/ids.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { resumedConfig } from '../../runtime/server/own-settings.ts';
import { WorkspaceRuns } from '../../runtime/server/workspace-runs.ts';
import { FRAMES_ENTRY, INDEX_ENTRY } from '../data/open-stores.ts';
import { folder } from '../data/trajectories.ts';
import { program } from '../e2e/program.ts';
import { PATIENCE } from '../patience.ts';

const TINKER = { kind: 'tinker', url: 'http://localhost:8000', base: 'table' };
const FILES = { kind: 'file', folder: '/batches' };
const MODEL = { profile: 'generic', mode: 'a11y_tree', url: 'http://localhost:8001/v1', model: 'tars' };

const configured = (trainer: object, learner: object = TINKER): Config =>
  parseConfig({
    ...{ agent: 'toy', agents: { toy: { ...MODEL, learner } }, trainer },
    ...{ suite: { tasks: ['settings-theme'] }, minutes: 60, seed: 'works', environments: { desktops: 2 } },
  });

const workspaceWith = (config: Config) => ({ agents: async () => config.agents, config: async () => config });

describe('the limit of the mismatch of a resumed run', () => {
  const resumed = async (stored: Config, own: Config) =>
    tokenRecipe(await resumedConfig(stored, 60, workspaceWith(own))).maxMismatch;

  test('is the higher one of the workspace', async () => {
    expect(await resumed(configured({ maxMismatch: 1 }), configured({ maxMismatch: 3 }))).toBe(3);
  });

  test('is the stored one if the workspace has a lower one: an option of the command may have set it', async () => {
    expect(await resumed(configured({ maxMismatch: 5 }), configured({}))).toBe(5);
  });

  test('is the stored one for a learner that computes no log-probabilities', async () => {
    const stored = configured({}, FILES);
    const own = { ...configured({ maxMismatch: 3 }), agents: stored.agents };
    expect(await resumed(stored, own)).toBe(1);
  });
});

test('other settings of a resumed run stay', async () => {
  const stored = configured({ learningRate: 1e-5 });
  const own = configured({ learningRate: 1e-4, maxMismatch: 3 });
  const { trainer } = await resumedConfig(stored, 90, workspaceWith(own));
  expect(trainer).toEqual({ ...stored.trainer, maxMismatch: 3 });
});

test('a run that began before a rule resumes with its settings without effect, but not with a contradiction', async () => {
  const stored = parseConfig({});
  const { trainer } = stored;
  const passes = { ...trainer.passes, hindsight: 5 };
  const old = { ...stored, trainer: { ...trainer, passes, shares: { ...trainer.shares, hindsight: 0 } } };
  expect((await resumedConfig(old, 90, {})).trainer).toEqual(old.trainer);
  const idle = { ...stored, trainer: { ...trainer, policyWeight: 0, cloneWeight: 0 } };
  await expect(resumedConfig(idle, 90, {})).rejects.toThrow('nothing trains');
});

let entry: URL;
beforeAll(async () => {
  entry = await program(new URL('../run/model-modules.ts', import.meta.url));
});

/** The runs of a workspace with this configuration. */
async function opened(own: () => Config) {
  const root = folder();
  const runs = await WorkspaceRuns.open({
    ...{ root, clock: systemClock, agents: async () => own().agents, config: async () => own() },
    entries: {
      ...{ host: entry, trainer: entry, worker: entry, engine: entry },
      ...{ index: INDEX_ENTRY, frames: FRAMES_ENTRY },
    },
    notice: () => undefined,
  });
  onTestFinished(() => runs.close());
  return { root, runs };
}

test('a run that is resumed after the limit was raised has the higher limit', async () => {
  let own = configured({ maxMismatch: 1 });
  const { root, runs } = await opened(() => own);
  const limit = async (run: RunId): Promise<number> =>
    JSON.parse(await readFile(join(root, run, 'run.json'), 'utf8')).config.trainer.maxMismatch;
  const run = await runs.start(own);
  await runs.stop(run);
  expect(await limit(run)).toBe(1);
  own = configured({ maxMismatch: 3 });
  await runs.resume(run);
  await vi.waitUntil(async () => (await limit(run)) === 3, PATIENCE);
  await runs.stop(run);
});

test('a run whose agent the workspace cannot train any more is not resumed', async () => {
  let own = configured({});
  const { runs } = await opened(() => own);
  const run = await runs.start(own);
  await runs.stop(run);
  const withAgents = (agents: object) => ({ ...own, agents: parseConfig({ agents }).agents });
  const sampling = { temperature: 0.7 };
  for (const [agents, why] of [
    [{ toy: { ...MODEL, sampling, learner: TINKER } }, /'toy' cannot be trained at the temperature 0\.7/],
    [{ toy: MODEL }, /'toy' cannot be trained: it has no learner/],
    [{}, /No agent is called 'toy'/],
  ] as const) {
    own = withAgents(agents);
    await expect(runs.resume(run)).rejects.toThrow(why);
  }
  expect(runs.trainingNow).toBeUndefined();
});
