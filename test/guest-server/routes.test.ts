// The replies of the guest API over HTTP, as OSWorld's server gives them.

import { decode } from 'fast-png';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BoundaryError } from '../../runtime/core/failure.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { UnreadableFile } from '../../runtime/environments/docker/shell.ts';
import { type GuestListener, listenForClients } from '../../runtime/guest-server/guest-http.ts';
import { answerCall } from '../../runtime/guest-server/routes.ts';
import { temporaryFolder } from '../temporary.ts';
import { servedDesktop } from './fake-desktops.ts';
import type { FakeMachine } from './fake-machine.ts';

let listener: GuestListener;
let address: string;
let clock: VirtualClock;
let home: string;
let desktop: ReturnType<typeof servedDesktop>;

beforeEach(async () => {
  clock = new VirtualClock();
  home = temporaryFolder('guest-routes');
  desktop = servedDesktop(clock, home);
  await desktop.served.ready();
  listener = await listenForClients({
    ...{ host: '127.0.0.1', port: 0 },
    answer: (method, call) => answerCall(desktop.served, method, call),
  });
  address = `http://127.0.0.1:${listener.port}`;
});
afterEach(async () => {
  await listener.close();
  await desktop.served.close();
});

const machine = (): FakeMachine => {
  const found = desktop.taken.at(-1)?.machines.at(-1);
  if (found === undefined) throw new Error('No machine is open.');
  return found;
};

async function send(path: string, options: RequestInit = {}) {
  const reply = await fetch(`${address}${path}`, options);
  const bytes = new Uint8Array(await reply.arrayBuffer());
  const text = Buffer.from(bytes).toString('utf8');
  const type = reply.headers.get('content-type') ?? '';
  return {
    status: reply.status,
    type,
    bytes,
    text,
    json: type.includes('json') ? JSON.parse(text) : undefined,
  };
}
const post = (path: string, value: unknown) =>
  send(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(value),
  });
const form = (path: string, fields: Record<string, string>) =>
  send(path, { method: 'POST', body: new URLSearchParams(fields) });

const PREFIX = 'import pyautogui; import time; pyautogui.FAILSAFE = False; ';
const execute = (command: unknown, shell = false, path = '/execute') => post(path, { command, shell });

describe('/execute', () => {
  test('performs a program of pyautogui', async () => {
    for (const path of ['/execute', '/setup/execute'])
      expect((await execute(['python', '-c', `${PREFIX}pyautogui.click(1, 1)`], false, path)).json).toEqual({
        ...{ status: 'success', output: 'printed', error: '', returncode: 0 },
      });
    expect(machine().performed).toHaveLength(2);
    expect(machine().lines).toEqual([]);
  });

  test.each([
    [['python3', '-c', `${PREFIX}pyautogui.click()`], false],
    [`/usr/bin/python3 -c "${PREFIX}pyautogui.click()"`, false],
    [`python -c "${PREFIX}pyautogui.click()"`, true],
  ])('recognises %j', async (command, shell) => {
    await execute(command, shell);
    expect(machine().performed).toHaveLength(1);
  });

  test('fails a program with an unknown statement like Python does, and performs nothing of it', async () => {
    const { status, json } = await execute(['python', '-c', `${PREFIX}pyautogui.click(1, 1); x = 3`]);
    expect(status).toBe(200);
    expect(json).toMatchObject({ status: 'success', output: '', returncode: 1 });
    expect(json.error).toMatch(/^Line 1, "x = 3": .* Nothing was performed\./);
    expect(machine().performed).toEqual([]);
  });

  test('runs other commands with their output, errors and exit code', async () => {
    expect((await execute('echo "$((1 + 2))"; echo bad >&2; exit 4', true)).json).toEqual({
      ...{ status: 'success', output: '3\n', error: 'bad\n', returncode: 4 },
    });
    expect((await execute(['printf', '%s-', 'a b', "it's", '$HOME'])).json.output).toBe("a b-it's-$HOME-");
    expect((await execute("printf '%s' 'a b'")).json.output).toBe('a b');
    expect((await execute(['ls', '-d', '~/'])).json.output).toBe(`${home}/\n`);
  });

  test('reports a missing program as Python does', async () => {
    const { status, json } = await execute(['no-such-program', 'x']);
    expect(status).toBe(500);
    expect(json).toMatchObject({ status: 'error' });
    expect(json.message).toMatch(/^\[Errno 2\] No such file or directory: 'no-such-program'\./);
    // A shell reports it itself.
    expect((await execute('no-such-program', true)).json).toMatchObject({
      status: 'success',
      returncode: 127,
    });
  });

  test('reports a command that hangs', async () => {
    machine().failure = new BoundaryError({
      ...{ boundary: 'task', thing: 'shell', message: '"sleep 200" did not end within 120 s and was killed' },
    });
    const { status, json } = await execute(['sleep', '200']);
    expect([status, json]).toEqual([
      500,
      { status: 'error', message: '"sleep 200" did not end within 120 s and was killed' },
    ]);
    expect(desktop.reports).toEqual([]);
  });

  test.each([
    ['no JSON', { body: 'x', headers: { 'content-type': 'application/json' } }, 400],
    ['another type', { body: '{"command": ["ls"]}', headers: { 'content-type': 'text/plain' } }, 415],
    ['a number', { body: '{"command": 3}', headers: { 'content-type': 'application/json' } }, 400],
    ['no command', { body: '{}', headers: { 'content-type': 'application/json' } }, 500],
    ['an open quote', { body: '{"command": "ls \'"}', headers: { 'content-type': 'application/json' } }, 500],
  ])('refuses %s', async (_, options, status) => {
    const reply = await send('/execute', { method: 'POST', ...options });
    expect(reply.status).toBe(status);
    expect(reply.json).toMatchObject({ status: 'error', message: expect.any(String) });
  });
});

describe('/execute_with_verification', () => {
  const WINDOW = '0x01000003  0 6    52   634  419  mousepad.Mousepad     desktop Note - Mousepad\n';

  test('passes once the window is there and the command succeeds', async () => {
    const verification = { window_exists: 'note', command_success: '[ -f there ]' };
    const sent = post('/setup/execute_with_verification', {
      ...{ command: ['touch', 'there'], verification, max_wait_time: 10, check_interval: 1 },
    });
    machine().windows = WINDOW;
    expect((await sent).json).toEqual({
      ...{ status: 'success', output: '', error: '', returncode: 0, verification: 'passed', wait_time: 0 },
    });
  });

  test('fails after the time', async () => {
    const sent = post('/execute_with_verification', {
      ...{
        command: ['true'],
        verification: { command_success: 'false' },
        max_wait_time: 3,
        check_interval: 1,
      },
    });
    let isDone = false;
    void sent.then(() => {
      isDone = true;
    });
    for (; !isDone; await new Promise(resolve => setTimeout(resolve, 1))) await clock.run(clock.now() + 1000);
    expect(await sent).toMatchObject({
      status: 500,
      json: { status: 'verification_failed', returncode: 0, verification: 'failed', wait_time: 3 },
    });
  });
});

describe('/setup/launch', () => {
  test('starts a program', async () => {
    expect(await post('/setup/launch', { command: ['true', 'a b'] })).toMatchObject({
      ...{ status: 200, text: 'true a b launched successfully' },
    });
    expect(machine().lines.at(-1)).toMatch(/^setsid sh -c /);
  });

  test('reports a missing program', async () => {
    expect(await post('/setup/launch', { command: 'no-such-program' })).toMatchObject({ status: 500 });
  });
});

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

describe('scripts', () => {
  test('run in a folder, with errors among the output', async () => {
    const script = 'echo out; echo err >&2; basename "$PWD"; exit 3';
    expect((await post('/run_bash_script', { script, working_dir: '/tmp' })).json).toEqual({
      ...{ status: 'error', output: 'out\nerr\ntmp\n', error: '', returncode: 3 },
    });
    expect((await post('/run_bash_script', { script: 'true', working_dir: null })).json).toMatchObject({
      ...{ status: 'success', returncode: 0 },
    });
  });

  test.each([
    [{ script: '' }, 400, 'Script not supplied!'],
    [{ script: 'true', working_dir: '/none' }, 400, 'Working directory does not exist: /none'],
    [{ script: 'sleep 9', timeout: 1 }, 500, 'Script execution timed out after 1 seconds'],
  ])('%j fails as in OSWorld', async (given, status, output) => {
    const failure = { status: 'error', output, error: '', returncode: -1 };
    expect(await post('/run_bash_script', given)).toMatchObject({ status, json: failure });
  });

  test.each([
    ['/run_bash_script', { script: 'echo much' }],
    ['/run_python', { code: 'print(1)' }],
    ['/execute', { command: ['echo', 'much'] }],
  ])('%s does not pass the first part of an output as the whole', async (path, given) => {
    machine().isCut = true;
    const { status, text } = await post(path, given);
    expect(status).toBe(500);
    expect(text).toContain('printed more than 8 MB. Write to a file');
  });

  test('a program of pyautogui is performed, with the reply of a Python script', async () => {
    expect((await post('/run_python', { code: 'import pyautogui\npyautogui.click()' })).json).toEqual({
      ...{
        status: 'success',
        message: 'printed',
        need_more: false,
        output: 'printed',
        error: '',
        return_code: 0,
      },
    });
    const failed = await post('/run_python', { code: 'import pyautogui\nlaunch()' });
    expect(failed).toMatchObject({ status: 200, json: { status: 'error', return_code: 1, output: '' } });
    expect(await post('/run_python', {})).toMatchObject({ status: 400 });
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
