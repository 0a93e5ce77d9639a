// The replies of the guest API over HTTP, as OSWorld's server gives them: files, the screen, windows and refused requests.

import { decode } from 'fast-png';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { UnreadableFile } from '../../runtime/environments/docker/shell.ts';
import type { servedDesktop } from './fake-desktops.ts';
import { guestApi } from './guest-api.ts';

const guest = guestApi();
const { execute, form, machine, post, send } = guest;
let clock: VirtualClock;
let home: string;
let desktop: ReturnType<typeof servedDesktop>;

beforeEach(async () => {
  ({ clock, home, desktop } = await guest.open());
});
afterEach(() => guest.close());

describe('files', () => {
  test('go up and down, with variables and folders', async () => {
    const upload = new FormData();
    upload.append('file_path', '$HOME/new folder/ž.bin');
    const bytes = Uint8Array.from({ length: 1000 }, (_, index) => index % 256);
    upload.append('file_data', new Blob([bytes]), 'x.bin');
    expect(await send('/setup/upload', { method: 'POST', body: upload })).toMatchObject({
      ...{ status: 200, text: 'File Uploaded: 1000 bytes' },
    });
    const back = await form('/file', { file_path: '~/new folder/ž.bin' });
    expect([back.status, Buffer.compare(back.bytes, bytes)]).toEqual([200, 0]);
  });

  test('have paths with variables, and unknown variables stay as they are', async () => {
    await execute('mkdir "\\$NO_SUCH"; for f in a "\\$NO_SUCH/b" "c\\$1"; do echo "$f" > "$f"; done', true);
    for (const [path, text] of [
      ['$'.concat('{HOME}/a'), 'a'],
      ['~/a', 'a'],
      [`${home}/$NO_SUCH/b`, '$NO_SUCH/b'],
      ['$HOME/c$1', 'c$1'],
    ] as const)
      expect((await form('/file', { file_path: path })).text).toBe(`${text}\n`);
  });

  test.each([
    ['/file', {}, 400, { error: 'file_path is required' }],
    ['/file', { file_path: '/none' }, 404, { error: 'File not found' }],
    ['/setup/upload', { file_path: '/tmp/x' }, 400, { error: 'file_path and file_data are required' }],
    ['/window_size', {}, 400, { error: 'app_class_name is required' }],
  ])('%s with %j is refused', async (path, fields, status, json) => {
    const reply = await form(path, fields);
    expect(reply.status).toBe(status);
    expect(reply.json).toMatchObject(json);
  });

  test('that are there and cannot be read are no missing files', async () => {
    machine().readFile = async path => {
      throw new UnreadableFile(path, 'permission denied');
    };
    const reply = await form('/file', { file_path: '/root/x' });
    expect(reply).toMatchObject({
      ...{ status: 500, json: { error: 'Failed to serve file: cannot read /root/x: permission denied' } },
    });
  });

  test('are listed as a tree', async () => {
    await execute('mkdir -p a/b; touch a/b/c "a/d e"; ln -s .. a/up', true);
    const { json } = await post('/list_directory', { path: `${home}/a` });
    expect(json.directory_tree).toMatchObject({ type: 'directory', name: 'a' });
    expect(new Set(json.directory_tree.children)).toEqual(
      new Set([
        { type: 'directory', name: 'b', children: [{ type: 'file', name: 'c' }] },
        { type: 'directory', name: 'up', children: [] },
        { type: 'file', name: 'd e' },
      ]),
    );
    expect(await post('/list_directory', { path: '/none' })).toMatchObject({
      ...{ status: 400, json: { error: 'The provided path is not a directory' } },
    });
  });

  test('the desktop folder has a path once it exists', async () => {
    expect(await send('/desktop_path', { method: 'POST' })).toMatchObject({ status: 404 });
    await execute('mkdir Desktop', true);
    expect((await send('/desktop_path', { method: 'POST' })).json).toEqual({
      desktop_path: `${home}/Desktop`,
    });
  });
});

describe('the screen', () => {
  test('is a PNG with all pixels', async () => {
    const { status, type, bytes } = await send('/screenshot');
    expect([status, type]).toEqual([200, 'image/png']);
    const { width, height, data } = decode(bytes);
    expect([width, height]).toEqual([4, 2]);
    expect([...data.slice(0, 3)]).toEqual([0, 7, 14]);
  });

  test('has a size, a pointer, elements and a terminal', async () => {
    machine().elements = {
      windows: [{ xid: 1, title: 'w', box: [0, 0, 4, 2], inner: [0, 0, 4, 2], pid: 0 }],
      nodes: [
        {
          w: 1,
          role: 'terminal',
          name: '',
          value: '$ ls \n\n',
          states: ['focused'],
          box: [0, 0, 4, 2],
          depth: 0,
        },
      ],
      ...{ late: [], busy: [], active: 1 },
    };
    expect((await send('/screen_size', { method: 'POST' })).json).toEqual({ width: 4, height: 2 });
    expect((await send('/cursor_position')).json).toEqual([3, 1]);
    expect((await send('/accessibility')).json.AT).toMatch(/^<desktop-frame xmlns:st=/);
    expect((await send('/terminal')).json).toEqual({ output: '$ ls', status: 'success' });
    expect((await send('/platform')).text).toBe('Linux');
  });

  test('finds a window by its class', async () => {
    machine().windows =
      '0x01  0 6 52 634 419  soffice.libreoffice-writer desktop A - Writer\n0x02 -1 0 0 10 20  panel.Panel  N/A \n';
    for (const name of ['soffice', 'Libreoffice-Writer', 'soffice.libreoffice-writer'])
      expect((await form('/window_size', { app_class_name: name })).json).toEqual({
        width: 634,
        height: 419,
      });
    expect((await form('/window_size', { app_class_name: 'PANEL' })).json).toEqual({ width: 10, height: 20 });
    expect((await form('/window_size', { app_class_name: 'writer' })).status).toBe(404);
  });

  test('activates and closes windows, whether there is one or not', async () => {
    const window = { window_name: "it's", strict: true, by_class: true };
    expect((await post('/setup/activate_window', window)).text).toBe('Window activated successfully');
    expect(machine().lines.at(-1)).toBe(`wmctrl -x -F -a 'it'\\''s'`);
    expect((await post('/setup/close_window', { window_name: 'a' })).text).toBe(
      'Window closed successfully.',
    );
    expect(machine().lines.at(-1)).toBe("wmctrl -c 'a'");
    expect(await post('/setup/close_window', {})).toMatchObject({
      status: 400,
      text: 'window_name required',
    });
  });
});

test.each([
  ['/start_recording', {}, 400],
  ['/end_recording', {}, 400],
  ['/wallpaper', {}, 404],
  ['/setup/change_wallpaper', { path: '/none' }, 404],
  ['/setup/change_wallpaper', { path: '/' }, 500],
  ['/setup/download_file', { url: 'https://x.example', path: '/tmp/x' }, 500],
  ['/setup/open_file', {}, 400],
  ['/setup/open_file', { path: '/none' }, 404],
])('%s with %j is answered as by a server that fails', async (path, value, status) => {
  const reply = await post(path, value);
  expect(reply.status).toBe(status);
  expect(reply.text.length).toBeGreaterThan(10);
});

describe('requests', () => {
  test('for unknown paths and with other methods are refused', async () => {
    expect(await send('/nothing')).toMatchObject({ status: 404, json: { status: 'error' } });
    expect(await send('/toString')).toMatchObject({ status: 404 });
    expect(await send('/execute')).toMatchObject({ status: 405 });
    expect(await send('/dartboard/revert')).toMatchObject({ status: 405 });
  });

  test('of pages are refused before anything happens', async () => {
    const options = { method: 'POST', headers: { origin: 'http://evil.example' } };
    expect(await send('/dartboard/revert', options)).toMatchObject({ status: 403 });
    expect(desktop.taken[0]?.resets).toBe(0);
  });

  test('for the clean state reset the desktop', async () => {
    expect(await send('/dartboard/revert', { method: 'POST' })).toMatchObject({
      ...{ status: 200, json: { status: 'success' } },
    });
    expect(desktop.taken[0]?.resets).toBe(1);
  });

  test('after a loss say so', async () => {
    desktop.taken[0]?.die('killed');
    await Promise.resolve();
    const reply = await send('/screenshot');
    expect(reply).toMatchObject({ status: 503, json: { status: 'error' } });
    expect(reply.json.message).toMatch(
      /its container ended \(killed\).*Begin the task again with POST \/dartboard\/revert\./,
    );
  });
});

describe('/setup/open_file', () => {
  const window = (id: number, title: string) => `0x0${id}  0 6 52 634 419  some.Program desktop ${title}\n`;
  /** Lets virtual time pass until the reply is there. */
  const opened = async (path: string) => {
    const sent = post('/setup/open_file', { path });
    let isDone = false;
    void sent.then(() => {
      isDone = true;
    });
    for (; !isDone; await new Promise(resolve => setTimeout(resolve, 1))) await clock.run(clock.now() + 100);
    return sent;
  };

  test('waits for the window with the name of the file, and activates it', async () => {
    await execute('touch "my note.txt"', true);
    machine().windows = window(1, 'my note') + window(2, 'my note.txt - Editor');
    expect(await opened('~/my note.txt')).toMatchObject({
      ...{ status: 200, text: 'File opened and window activated successfully' },
    });
    expect(machine().lines.at(-1)).toBe('wmctrl -i -a 0x02');
    expect(machine().lines.find(line => line.startsWith('setsid'))).toContain('mousepad');
  });

  test('takes another new window only after ten seconds', async () => {
    await execute('mkdir Folder', true);
    const machineOf = machine();
    machineOf.windows = window(1, 'a panel');
    const run = machineOf.run.bind(machineOf);
    machineOf.run = (line, options) => {
      if (line.startsWith('setsid')) machineOf.windows += window(2, 'Welcome');
      return run(line, options);
    };
    const start = clock.now();
    expect(await opened('~/Folder')).toMatchObject({ status: 200 });
    expect(clock.now() - start).toBeGreaterThanOrEqual(10_000);
    expect(machineOf.lines.at(-1)).toBe('wmctrl -i -a 0x02');
    expect(machineOf.lines.find(line => line.startsWith('setsid'))).toContain('pcmanfm');
  });

  test('fails after a minute without a window', async () => {
    expect(await opened('sh')).toMatchObject({
      status: 500,
      text: 'Failed to find window for sh within 60 seconds. Open it with /setup/launch.',
    });
  });
});
