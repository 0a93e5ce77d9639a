// Files of tasks on their way from the machine of a run to a joined host: which are sent, and which never are.

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Blobs } from '../../../runtime/blobs/blobs.ts';
import { MemoryBlobs } from '../../../runtime/blobs/memory-blobs.ts';
import { type Config, parseConfig } from '../../../runtime/config/config.ts';
import { type TaskId, taskId } from '../../../runtime/core/ids.ts';
import type { Suite } from '../../../runtime/environments/suite.ts';
import { configHere, requireTasks, withReceived } from '../../../runtime/run/joined/joined-start.ts';
import { receiveTasks } from '../../../runtime/run/joined/received-tasks.ts';
import { sendTasks } from '../../../runtime/run/joined/sent-tasks.ts';
import { openSuite } from '../../../runtime/run/suite.ts';
import { temporaryFolder } from '../../temporary.ts';
import { breakableTemporaryFolder, STAYS } from './breakable-folder.ts';

/** Every folder can be deleted. */
const SILENT = (text: string) => expect.unreachable(text);

const evaluator = {
  func: 'exact_match',
  result: { type: 'url' },
  expected: { type: 'rule', rules: { expected: '' } },
};

const webTask = (id: string, folder: string, values: readonly string[] = ['pages']) => ({
  ...{ id, instruction: 'Press OK.', evaluator },
  config: [{ type: 'serve', parameters: { host: 'shop.test', folder } }],
  dartboard: { tier: 1, vary: { where: values }, solution: [['click', 'button', 'OK']] },
});

const guestTask = (id: string, config: readonly object[], expected: object = evaluator.expected) => ({
  ...{ id, snapshot: 'chrome', instruction: 'Do it.', config, related_apps: ['os'] },
  evaluator: {
    func: 'compare_text_file',
    result: { type: 'vm_file', path: '/tmp/a.txt', dest: 'a.txt' },
    expected,
  },
});

function written(folder: string, files: Readonly<Record<string, unknown>>): string {
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

/** In a folder 'tasks', so that others can lie beside it. */
const tasksWith = (files: Readonly<Record<string, unknown>>): string =>
  written(join(temporaryFolder('sent'), 'tasks'), files);

const webConfig = (files: string) =>
  parseConfig({ suite: { tiers: [1], files }, environments: { kind: 'web' } });

function guestConfig(files: string, mirror?: string): Config {
  const hosts = [1, 2].map(number => ({
    address: `http://10.0.0.${number}:5000`,
    browserPort: 1,
    vlcPort: 2,
  }));
  const guest = { hosts, password: 'secret', ...(mirror !== undefined && { mirror }) };
  const counts = { desktops: 1, kind: 'guest', guest };
  return parseConfig({
    ...{ suite: { tasks: ['one'], files }, environments: counts, evaluation: { desktops: 1 } },
  });
}

async function sent(config: Config, ...ids: readonly string[]) {
  const blobs = new MemoryBlobs();
  const tasks: readonly TaskId[] = ids.map(taskId);
  const files = await sendTasks({ config, suite: await openSuite(config), tasks }, blobs);
  return { blobs, files };
}

async function received(config: Config, ...ids: readonly string[]) {
  const { blobs, files } = await sent(config, ...ids);
  if (files === undefined) throw new Error('nothing was sent');
  const each = await receiveTasks(files.list, blobs, SILENT);
  onTestFinished(each.remove);
  return { ...each, files: each.files ?? 'no task files' };
}

/** Relative paths, sorted. */
const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(each => each.isFile())
    .map(each => relative(folder, join(each.parentPath, each.name)))
    .sort();

describe('files of web tasks', () => {
  test('are those of the trained tasks alone, with all folders that their training instances serve', async () => {
    const folder = tasksWith({
      'one.json': webTask('one', 'sites/{where}', ['a', 'b']),
      'other.json': webTask('other', 'private'),
      'sites/a/index.html': 'A',
      'sites/a/img/logo.svg': '<svg/>',
      'sites/b/index.html': 'B',
      'sites/c/index.html': 'C',
      'private/index.html': 'P',
    });
    const { files, remove } = await received(webConfig(folder), 'one', 'settings-save');
    expect(filesIn(files)).toEqual([
      'one.json',
      ...['sites/a/img/logo.svg', 'sites/a/index.html', 'sites/b/index.html'],
    ]);
    expect(readFileSync(join(files, 'sites/b/index.html'), 'utf8')).toBe('B');
    // The host makes the same instances of them.
    const [here, there] = [await openSuite(webConfig(folder)), await openSuite(webConfig(files))];
    for (const number of [0, 7, 31].map(index => here.seed('train', index)))
      expect(there.task('one', number)).toEqual(here.task('one', number));
    // Nobody else on the host may read them.
    expect(statSync(dirname(files)).mode & 0o077).toBe(0);
    await remove();
    expect(existsSync(dirname(files))).toBe(false);
  });

  test('are those of the other instances where one cannot be made', async () => {
    const config = webConfig(tasksWith({ 'one.json': webTask('one', 'pages'), 'pages/index.html': '<p>' }));
    const suite = await openSuite(config);
    const broken: Suite['task'] = (id, number) => {
      if (number === suite.seed('train', 7)) throw new RangeError('{what.sign} has no value.');
      return suite.task(id, number);
    };
    const tasks = [taskId('one')];
    const all = await sendTasks({ config, suite, tasks }, new MemoryBlobs());
    expect(await sendTasks({ config, suite: { ...suite, task: broken }, tasks }, new MemoryBlobs())).toEqual(
      all,
    );
  });

  test('are none for built-in tasks', async () => {
    const folder = tasksWith({ 'one.json': webTask('one', 'pages'), 'pages/index.html': '' });
    expect((await sent(webConfig(folder), 'settings-save')).files).toBeUndefined();
    expect((await sent(parseConfig({}), 'files-rename')).files).toBeUndefined();
  });

  test('have no page that a link takes from outside', async () => {
    const folder = tasksWith({ 'one.json': webTask('one', 'pages'), 'pages/index.html': 'A' });
    written(dirname(folder), { 'secret.txt': 'S', 'secrets/key.txt': 'S' });
    symlinkSync('../../secret.txt', join(folder, 'pages/secret.txt'));
    symlinkSync('../../secrets', join(folder, 'pages/secrets'));
    symlinkSync('nowhere', join(folder, 'pages/broken'));
    symlinkSync('index.html', join(folder, 'pages/start.html'));
    const { files } = await received(webConfig(folder), 'one');
    expect(filesIn(files)).toEqual(['one.json', 'pages/index.html', 'pages/start.html']);
    expect(readFileSync(join(files, 'pages/start.html'), 'utf8')).toBe('A');
    symlinkSync('.', join(folder, 'pages/again'));
    await expect(sent(webConfig(folder), 'one')).rejects.toThrow(/again.*link to a folder.*copy/);
  });

  test.each(['../outside', 'link'])('outside of the folder, at %s, are refused', async served => {
    const folder = tasksWith({ 'one.json': webTask('one', served) });
    written(dirname(folder), { 'outside/index.html': '' });
    symlinkSync('../outside', join(folder, 'link'));
    await expect(sent(webConfig(folder), 'one')).rejects.toThrow(
      new RegExp(`${served}.* is not in the folder .*Copy it`),
    );
  });

  test('that are too large are refused before any is read', async () => {
    const folder = tasksWith({ 'one.json': webTask('one', 'pages'), 'pages/film.webm': '' });
    truncateSync(join(folder, 'pages/film.webm'), 65 * 2 ** 20);
    await expect(sent(webConfig(folder), 'one')).rejects.toThrow(/film\.webm has 68157440 bytes.*smaller/);
    truncateSync(join(folder, 'pages/film.webm'), 0);
    for (const number of Array.from({ length: 9 }, (_, index) => index)) {
      writeFileSync(join(folder, `pages/${number}.webm`), '');
      truncateSync(join(folder, `pages/${number}.webm`), 60 * 2 ** 20);
    }
    await expect(sent(webConfig(folder), 'one')).rejects.toThrow(/more than 536870912 bytes.*fewer tasks/);
  });
});

describe('pages of MiniWoB++', () => {
  const page = '<script src="../core/core.js"></script><script>core.startEpisode()</script>';
  const withMiniwob = (miniwob: string, files?: string) =>
    parseConfig({
      suite: { tiers: [1], ...(files !== undefined && { files }) },
      environments: { kind: 'web', web: { miniwob } },
    });
  const pages = () =>
    written(join(temporaryFolder('sent'), 'miniwob'), {
      'html/miniwob/click-test.html': page,
      'html/core/core.js': 'core = {}',
      'README.md': 'not a page',
    });

  test('are sent with all that they load, and nothing else of their folder', async () => {
    const config = withMiniwob(pages());
    const { blobs, files } = await sent(config, 'miniwob-click-test');
    const here = await receiveTasks(files?.list ?? expect.unreachable('nothing was sent'), blobs, SILENT);
    onTestFinished(here.remove);
    expect(filesIn(here.miniwob ?? '')).toEqual(['html/core/core.js', 'html/miniwob/click-test.html']);
    expect(here).not.toHaveProperty('files');
    // The host plays them without a folder of its own.
    const config2 = configHere(withReceived(config, here), parseConfig({}), { desktops: 1, policy: 1 }, here);
    await requireTasks(config2, [taskId('miniwob-click-test')]);
  });

  test('are sent beside the tasks of a folder, and not if no task needs them', async () => {
    const folder = tasksWith({ 'one.json': webTask('one', 'pages'), 'pages/index.html': '' });
    const both = await received(withMiniwob(pages(), folder), 'one', 'miniwob-click-test');
    expect(filesIn(both.files)).toEqual(['one.json', 'pages/index.html']);
    expect(both.miniwob).toBeDefined();
    expect((await received(withMiniwob(pages(), folder), 'one')).miniwob).toBeUndefined();
    expect((await sent(withMiniwob(pages()), 'settings-save')).files).toBeUndefined();
  });
});

describe('files of guest tasks', () => {
  test('are those that the tasks upload, and those of the mirror that they name by address', async () => {
    const config = [
      { type: 'upload_file', parameters: { files: [{ path: '/tmp/x', local_path: 'data/x.txt' }] } },
      { type: 'upload_file', parameters: { files: [{ path: '/tmp/y', content: 'data/y.txt' }] } },
      { type: 'download', parameters: { files: [{ path: '/tmp/z', url: 'https://a.test/z?id=1' }] } },
    ];
    const expected = { type: 'cloud_file', path: 'https://a.test/deep/gold.txt', dest: 'gold.txt' };
    const folder = tasksWith({
      'os/one.json': guestTask('one', config, expected),
      'os/other.json': guestTask('other', []),
      'data/x.txt': 'X',
      'data/y.txt': 'Y',
    });
    const mirror = written(join(dirname(folder), 'mirror'), {
      'urls.json': { 'https://a.test/z?id=1': 'files/z.bin' },
      'files/z.bin': 'Z',
      'a.test/deep/gold.txt': 'G',
      'a.test/unused.txt': 'U',
    });
    const here = await received(guestConfig(folder, mirror), 'one');
    expect(filesIn(here.files)).toEqual(['data/x.txt', 'os/one.json']);
    expect(filesIn(here.mirror ?? '')).toEqual(['a.test/deep/gold.txt', 'files/z.bin', 'urls.json']);
    expect((await received(guestConfig(folder), 'one')).mirror).toBeUndefined();
  });

  test.each([['/etc/hostname'], ['../secret.txt']])(
    'outside of the folder, such as %s, are refused',
    async path => {
      const files = [{ path: '/tmp/x', local_path: path }];
      const folder = tasksWith({
        'one.json': guestTask('one', [{ type: 'upload_file', parameters: { files } }]),
      });
      written(dirname(folder), { 'secret.txt': 'S' });
      await expect(sent(guestConfig(folder), 'one')).rejects.toThrow('is not in the folder');
    },
  );
});

describe('a host', () => {
  test.each(['tasks/../../evil', 'elsewhere/a', '/etc/a', 'tasks//a', 'tasks/./a', 'tasks/..\\a', 'tasks'])(
    'writes no file to %j',
    async path => {
      const blobs = new MemoryBlobs();
      const hash = await blobs.put(Buffer.from('evil'));
      const list = await blobs.put(Buffer.from(JSON.stringify([{ path, hash }])));
      await expect(receiveTasks(list, blobs, SILENT)).rejects.toThrow(/list of task files.*same version/);
    },
  );

  test('keeps nothing of files that the daemon has no more', async () => {
    const blobs = new MemoryBlobs();
    const [hash] = await Promise.all([blobs.put(Buffer.from('a'))]);
    const list = await blobs.put(
      Buffer.from(
        JSON.stringify([
          { path: 'tasks/a', hash },
          { path: 'tasks/b', hash: 'f'.repeat(64) },
        ]),
      ),
    );
    await expect(receiveTasks(list, blobs, SILENT)).rejects.toThrow(/no file f+ .* Join again/);
  });

  test('reports a folder that it cannot delete, and why the files did not arrive', async () => {
    const stored = new MemoryBlobs();
    const list = await stored.put(Buffer.from(JSON.stringify([{ path: 'tasks/a', hash: 'f'.repeat(64) }])));
    const breakFolder = breakableTemporaryFolder();
    const blobs: Blobs = {
      put: bytes => stored.put(bytes),
      get: async hash => {
        if (hash !== list) breakFolder();
        return await stored.get(hash);
      },
    };
    const said: string[] = [];
    await expect(receiveTasks(list, blobs, text => said.push(text))).rejects.toThrow(/no file f+/);
    expect(said).toEqual([expect.stringMatching(STAYS)]);
  });
});
