// The desktops on which saved weights act.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseConfig } from '../../../runtime/config/config.ts';
import { runId } from '../../../runtime/core/ids.ts';
import { WEB } from '../../../runtime/environments/web/tasks/suite.ts';
import { RUNS } from '../../../runtime/run/folders/run-folder.ts';
import { RunFolders } from '../../../runtime/run/folders/run-folders.ts';
import { configOfWeights } from '../../../runtime/run/folders/weights-origin.ts';
import { folder } from '../../data/trajectories.ts';

test('weights use the configuration of the run beside them', async () => {
  const root = folder();
  const config = parseConfig({ environments: { kind: 'docker', desktops: 3, docker: { image: 'mine' } } });
  const folders = new RunFolders(root);
  const run = await folders.create(new Date(0), 'one');
  const about = { mode: config.mode, preset: config.preset, seed: 'one', tasks: 1, tiers: [1] };
  await folders.write({ ...{ run, config, status: 'ended', seconds: 1, of: 1, startedAt: 0 }, about });
  expect(await configOfWeights(`${folders.path(run)}/weights.safetensors`, [])).toEqual(config);
  expect(runId(run)).toBe(run);
});

test('the folders of a run of another workspace lie in that workspace', async () => {
  const workspace = folder();
  const root = join(workspace, RUNS);
  const config = parseConfig({
    environments: { kind: 'web', web: { miniwob: 'miniwob' } },
    suite: { files: join(workspace, 'tasks') },
  });
  const folders = new RunFolders(root);
  await folders.prepare();
  const run = await folders.create(new Date(0), 'one');
  const about = { mode: config.mode, preset: config.preset, seed: 'one', tasks: 1, tiers: [1] };
  await folders.write({ ...{ run, config, status: 'ended', seconds: 1, of: 1, startedAt: 0 }, about });
  const { environments, suite } = await configOfWeights(`${folders.path(run)}/weights.safetensors`, []);
  expect(environments.web.miniwob).toBe(join(workspace, 'miniwob'));
  expect(suite.files).toBe(join(workspace, 'tasks'));
});

test('weights outside a run use the kind of desktops of their tasks', async () => {
  const file = `${folder()}/weights.safetensors`;
  expect((await configOfWeights(file, ['note-write'])).environments.kind).toBe('docker');
  expect((await configOfWeights(file, ['mail-star'])).environments.kind).toBe('pocket');
  const [task = ''] = WEB.tasks('train');
  expect((await configOfWeights(file, [task])).environments.kind).toBe('web');
  expect((await configOfWeights(file, ['of-a-folder'])).environments.kind).toBe('pocket');
  expect((await configOfWeights(file, ['miniwob-click-test'])).environments.kind).toBe('web');
});

test('weights that name no tasks act on the desktops of the workspace', async () => {
  const file = `${folder()}/weights.safetensors`;
  const workspace = async () => parseConfig({ environments: { kind: 'web', desktops: 3 } });
  expect((await configOfWeights(file, [], workspace)).environments).toMatchObject({
    kind: 'web',
    desktops: 3,
  });
  expect((await configOfWeights(file, [])).environments.kind).toBe('pocket');
  const docker = { hosts: [{ address: 'local', capacity: 10 }] };
  const full = { environments: { kind: 'docker', desktops: 8, docker }, evaluation: { desktops: 2 } };
  expect((await configOfWeights(file, [], async () => parseConfig(full))).evaluation.desktops).toBe(2);
});

test('weights outside a run use the settings of the workspace if it has the same kind of desktops', async () => {
  const file = `${folder()}/weights.safetensors`;
  const web = { browser: '/opt/mine', miniwob: 'pages' };
  const workspace = async () => parseConfig({ environments: { kind: 'web', desktops: 3, web } });
  const used = await configOfWeights(file, ['miniwob-click-test'], workspace);
  expect(used.environments).toMatchObject({ desktops: 3, web });
  expect((await configOfWeights(file, ['mail-star'], workspace)).environments.kind).toBe('pocket');
  const files = async () => parseConfig({ environments: { kind: 'web' }, suite: { files: 'mine' } });
  expect(await configOfWeights(file, ['of-a-folder'], files)).toMatchObject({
    ...{ environments: { kind: 'web' }, suite: { files: 'mine' } },
  });
});
