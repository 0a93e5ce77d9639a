// The task files of a workspace: recording, training and evaluation find the same ones.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { evaluatedSuite } from '../../runtime/cli/eval-suite.ts';
import { configOfFolder } from '../../runtime/cli/foreground.ts';
import { parseConfig, resolve } from '../../runtime/config/config.ts';
import { CONFIG_FILE, readConfig } from '../../runtime/config/config-file.ts';
import { ConfigError, settingsFromOptions } from '../../runtime/config/settings.ts';
import { ownTaskFolders } from '../../runtime/config/task-folders.ts';
import { seeded } from '../../runtime/core/rng.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { PersonRecordings } from '../../runtime/person/recordings.ts';
import { openDaemon } from '../../runtime/server/daemon.ts';
import { EXAMPLE } from '../environments/pocket/tasks/guide.ts';
import { Client, pagesFolder } from '../server/client.ts';
import { OwnedRuns } from '../server/owned-runs.ts';
import { temporaryFolder } from '../temporary.ts';

const TASK = 'quieter-alerts';

/** With the example as a task of pocket desktops, and with these settings. */
function workspace(settings: object | undefined = undefined) {
  const folder = temporaryFolder('own-tasks');
  const pocket = join(folder, '.dartboard', 'tasks', 'pocket');
  mkdirSync(pocket, { recursive: true });
  writeFileSync(join(pocket, `${TASK}.json`), EXAMPLE);
  if (settings !== undefined) writeFileSync(join(folder, CONFIG_FILE), JSON.stringify(settings));
  return { folder, files: relative('', pocket) };
}

const PORTS = { browserPort: 9222, vlcPort: 8080 };

const recordings = (folder: string) =>
  new PersonRecordings({
    store: { ingest: () => expect.unreachable(), label: () => expect.unreachable() },
    accept: () => expect.unreachable(),
    config: kind => configOfFolder(folder, kind),
    ...{ isGuest: () => false, clock: new VirtualClock(), random: seeded('own tasks') },
  });

test('the command line, the page Record and the daemon find the folder of the kind of desktops', async () => {
  const { folder, files } = workspace();
  // train, collect and serve --openenv.
  expect(resolve(await readConfig(join(folder, CONFIG_FILE))).config.suite.files).toBe(files);
  // record.
  expect((await configOfFolder(folder)).suite.files).toBe(files);
  const { tasks } = await recordings(folder).tasks({});
  expect(tasks.map(({ task }) => task)).toContain(TASK);
  // eval.
  const { suite } = await evaluatedSuite(folder, { split: 'test' });
  expect(suite.tasks('test')).toContain(TASK);
  // Requests of editors and pages.
  const daemon = await openDaemon({
    ...{ pages: pagesFolder(), port: 0, folder, file: join(folder, 'daemon.json') },
    ...{ keepTraining: true, clock: new VirtualClock(7), say: () => undefined },
    open: async () => new OwnedRuns(),
  });
  onTestFinished(() => daemon.close());
  const client = await Client.enter(daemon.server.port, new URL(daemon.server.address).hash.slice(1));
  expect(await client.ask('collect.tasks', { config: {} })).toMatchObject({ result: { files } });
});

test("'suite.files' replaces it, and other kinds of desktops do not read its files", async () => {
  const { folder, files } = workspace({ suite: { files: 'elsewhere' } });
  const settings = await readConfig(join(folder, CONFIG_FILE));
  expect(resolve(settings).config.suite.files).toBe('elsewhere');
  const other = workspace();
  for (const kind of ['web', 'docker'] as const) {
    expect((await configOfFolder(other.folder, kind)).suite.files).toBeUndefined();
    const option = settingsFromOptions({ environments: { kind } });
    const read = await readConfig(join(other.folder, CONFIG_FILE));
    expect(resolve(read, option).config.suite.files).toBeUndefined();
  }
  // With the settings of another kind of desktops, this kind has its own folder.
  const web = workspace({ environments: { kind: 'web' } });
  expect((await configOfFolder(web.folder, 'pocket')).suite.files).toBe(web.files);
  expect(files).not.toBe('elsewhere');
});

test('a folder that appears or goes is noticed, and a file in its place is none', () => {
  const folder = temporaryFolder('own-tasks');
  expect(ownTaskFolders(folder)).toEqual({});
  mkdirSync(join(folder, '.dartboard', 'tasks', 'guest'), { recursive: true });
  writeFileSync(join(folder, '.dartboard', 'tasks', 'web'), '');
  const found = ownTaskFolders(folder);
  expect(Object.keys(found)).toEqual(['guest']);
  // OSWorld's files in it are the tasks that guests need.
  const guest = { hosts: ['http://lab:5000', 'http://lab:5001'].map(address => ({ address, ...PORTS })) };
  const given = { environments: { kind: 'guest', desktops: 1, guest } };
  expect(() => parseConfig(given)).toThrow('suite.files');
  expect(parseConfig(given, undefined, found).suite.files).toBe(found.guest);
});

// On Windows such a path is missing.
test.skipIf(process.platform === 'win32')('a file in place of the folders is an error that names it', () => {
  const folder = temporaryFolder('own-tasks');
  mkdirSync(join(folder, '.dartboard'));
  writeFileSync(join(folder, '.dartboard', 'tasks'), '');
  const named = join(folder, '.dartboard', 'tasks', 'pocket');
  expect(() => ownTaskFolders(folder)).toThrow(ConfigError);
  expect(() => ownTaskFolders(folder)).toThrow(
    `The folder '${named}' cannot be read: Cannot examine '${named}': a part of the path is a file (ENOTDIR). Name a folder, or move the file away.`,
  );
});
