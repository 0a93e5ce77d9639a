// The guest API as OSWorld's own client speaks it, and what happens when a request gets lost.

import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Clock } from '../../../runtime/core/clock.ts';
import { BoundaryError } from '../../../runtime/core/failure.ts';
import { GuestApi } from '../../../runtime/environments/guest/guest-api.ts';
import { GuestMachine } from '../../../runtime/environments/guest/guest-machine.ts';
import { runGetter } from '../../../runtime/environments/osworld/getters.ts';
import { taskRun } from '../osworld/memory-machine.ts';
import { type FakeGuest, fakeGuest, type GuestAnswer } from './fake-guest.ts';

/** Pauses take no time, and deadlines never pass. */
const clock: Clock = {
  now: () => 0,
  sleep: (ms, signal) =>
    ms < 10_000
      ? Promise.resolve()
      : new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
};

const browser = {
  started: async () => undefined,
  tabs: async () => [],
  openTab: async () => undefined,
  closeTab: async () => false,
  evaluate: async () => undefined,
  visit: async () => undefined,
  printPdf: async () => new Uint8Array(),
};

let guest: FakeGuest;
afterEach(() => guest.close());

async function machineWith(answers: Readonly<Record<string, readonly GuestAnswer[]>>): Promise<GuestMachine> {
  guest = await fakeGuest(answers);
  const api = new GuestApi({ url: guest.url, clock });
  return new GuestMachine({ api, browser, vlc: async () => undefined });
}

const OUTPUT = { status: 'success', output: 'hello\n', error: 'warning', returncode: 3 };
const WINDOW = { name: 'Files', strict: true, byClass: false };

describe('requests', () => {
  test('a command is JSON, and its result has output, errors and code', async () => {
    const machine = await machineWith({ '/execute': [{ body: OUTPUT }] });
    const result = await machine.run({ command: ['ls', '-l'], shell: true });
    expect(result).toEqual({ output: 'hello\n', errors: 'warning', code: 3 });
    expect(guest.requests).toEqual([
      {
        method: 'POST',
        path: '/execute',
        type: 'application/json',
        body: JSON.stringify({ command: ['ls', '-l'], shell: true }),
      },
    ]);
  });

  test('a file is read by a form, and 404 means that there is none', async () => {
    const machine = await machineWith({
      '/file': [{ body: new Uint8Array([0, 255]) }, { status: 404, body: '{}' }],
    });
    expect([...((await machine.readFile('/a b')) ?? [])]).toEqual([0, 255]);
    expect(await machine.readFile('/none')).toBeUndefined();
    expect(guest.requests[0]).toMatchObject({
      type: expect.stringContaining('urlencoded'),
      body: 'file_path=%2Fa+b',
    });
  });

  test('a file is written as an upload of its path and its bytes', async () => {
    const machine = await machineWith({ '/setup/upload': [{ body: 'ok' }] });
    await machine.writeFile('/home/user/a.txt', new TextEncoder().encode('text'));
    const [request] = guest.requests;
    expect(request?.type).toMatch(/^multipart\/form-data/);
    expect(request?.body).toMatch(/name="file_path"\r\n\r\n\/home\/user\/a\.txt\r\n/);
    expect(request?.body).toMatch(/name="file_data"; filename="a\.txt"[\s\S]*\r\n\r\ntext\r\n/);
  });

  test('windows, sizes, the tree and the terminal have their own paths', async () => {
    const machine = await machineWith({
      '/setup/activate_window': [{ body: 'ok' }],
      '/screen_size': [{ body: { width: 1920, height: 1080 } }],
      '/accessibility': [{ body: { AT: '<desktop/>' } }],
      '/terminal': [{ body: { output: null, status: 'success' } }],
      '/list_directory': [{ body: { directory_tree: { name: 'x' } } }],
    });
    await machine.activateWindow(WINDOW);
    expect(guest.requests[0]?.body).toBe('{"window_name":"Files","strict":true,"by_class":false}');
    expect(await machine.screenSize()).toEqual({ width: 1920, height: 1080 });
    expect(await machine.accessibilityTree()).toBe('<desktop/>');
    expect(await machine.terminalText()).toBeNull();
    expect(await machine.directory('/x')).toEqual({ name: 'x' });
  });
});

test('an address may end in slashes', async () => {
  await machineWith({ '/terminal': [{ body: { output: 'hello' } }] });
  const api = new GuestApi({ url: `${guest.url}//`, clock });
  const machine = new GuestMachine({ api, browser, vlc: async () => undefined });
  expect(await machine.terminalText()).toBe('hello');
  expect(guest.requests.map(({ path }) => path)).toEqual(['/terminal']);
});

test('the home folder is asked for, which a guest does not expand in the path of a folder', async () => {
  const machine = await machineWith({
    '/execute': [{ body: { output: '/home/ada', error: '', returncode: 0 } }],
    '/list_directory': [{ body: { directory_tree: { name: 'Desktop' } } }],
  });
  expect(await machine.directory('~/Desktop')).toEqual({ name: 'Desktop' });
  expect(guest.requests.map(({ path }) => path)).toEqual(['/execute', '/list_directory']);
  expect(guest.requests.at(-1)?.body).toBe('{"path":"/home/ada/Desktop"}');
});

test('what the guest cannot do is no value for an evaluator: the agent may have made it so', async () => {
  const machine = await machineWith({
    '/execute': [{ status: 500, body: 'timed out' }],
    '/file': [{ status: 500, body: 'Is a directory' }],
  });
  const command = { command: ['sleep', '1000'] };
  expect(await machine.run(command)).toEqual({ output: '', errors: 'timed out', code: 1, isRefused: true });
  const run = taskRun(machine);
  expect(await runGetter(run, { type: 'vm_command_line', ...command })).toBeNull();
  expect(await runGetter(run, { type: 'vm_command_error', ...command })).toBeNull();
  expect(await machine.readFile('/folder')).toBeUndefined();
  const unreachable = [{ status: 502, body: 'Bad Gateway' }];
  for (const path of ['/execute', '/file']) guest.answer(path, unreachable);
  await expect(machine.run(command)).rejects.toThrow('502 Bad Gateway');
  await expect(machine.readFile('/folder')).rejects.toThrow('502 Bad Gateway');
});

describe('a lost reply', () => {
  test('of a request that reads is asked for again', async () => {
    const machine = await machineWith({ '/file': ['drop', { status: 500, body: 'busy' }, { body: 'text' }] });
    expect(new TextDecoder().decode(await machine.readFile('/a'))).toBe('text');
    expect(guest.requests).toHaveLength(3);
  });

  test('of a request that acts is an error, since the guest may have done it', async () => {
    const machine = await machineWith({ '/execute': ['drop', { body: OUTPUT }] });
    await expect(machine.run({ command: 'rm' })).rejects.toThrow(
      /\/execute has no reply.*Check that the guest runs/,
    );
    expect(guest.requests).toHaveLength(1);
  });

  test('of a name with several addresses has the reason of the first one', async () => {
    const machine = await machineWith({});
    const refused = new AggregateError([new Error('connect ECONNREFUSED ::1:5000')]);
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('fetch failed', { cause: refused })));
    onTestFinished(() => void vi.unstubAllGlobals());
    await expect(machine.screenSize()).rejects.toThrow(
      '/screen_size has no reply: connect ECONNREFUSED ::1:5000. Check that the guest runs',
    );
  });

  test('of a connection that was refused is sent again', async () => {
    await machineWith({});
    const { url } = guest;
    await guest.close();
    const port = Number(new URL(url).port);
    let sleeps = 0;
    const api = new GuestApi({
      url,
      clock: {
        ...clock,
        sleep: async (ms, signal) => {
          if (ms > 10_000) return clock.sleep(ms, signal);
          sleeps += 1;
          guest = await fakeGuest({ '/setup/launch': [{ body: 'ok' }] }, port);
        },
      },
    });
    await new GuestMachine({ api, browser, vlc: async () => undefined }).launch({ command: ['xterm'] });
    expect(sleeps).toBe(1);
    expect(guest.requests).toHaveLength(1);
  });
});

test('a refusal is an error of the task, with what the guest says', async () => {
  const machine = await machineWith({ '/setup/open_file': [{ status: 400, body: 'File not found: /a' }] });
  await expect(machine.open('/a')).rejects.toThrow(/^guest .*answered 400 File not found: \/a/);
  await expect(machine.open('/a')).rejects.toMatchObject({ failure: { boundary: 'task' } });
});

test('a window that is not there is no error', async () => {
  const missing = [{ status: 404, body: 'Window not found.' }];
  const machine = await machineWith({
    '/setup/activate_window': missing,
    '/setup/close_window': missing,
  });
  await machine.activateWindow(WINDOW);
  await machine.closeWindow(WINDOW);
  expect(guest.requests).toHaveLength(2);
});

test('a guest that is lost behind its proxy during the set-up is a failure of the desktop, not of the task', async () => {
  const lost = [{ status: 503, body: 'The container has ended.' }];
  const names = ['launch', 'open_file', 'change_wallpaper', 'upload', 'activate_window', 'close_window'];
  const setup = names.map(name => `/setup/${name}`);
  const machine = await machineWith(Object.fromEntries([...setup, '/wallpaper'].map(path => [path, lost])));
  const calls = [
    machine.launch({ command: ['xterm'] }),
    machine.open('/a'),
    machine.changeWallpaper('/a.png'),
    machine.writeFile('/a', new Uint8Array([1])),
    machine.activateWindow(WINDOW),
    machine.closeWindow(WINDOW),
    machine.wallpaper(),
  ];
  for (const call of await Promise.allSettled(calls))
    expect(call).toMatchObject({
      status: 'rejected',
      reason: {
        failure: { boundary: 'environment', message: expect.stringContaining('answered 503 The container') },
      },
    });
});

describe('hostile replies', () => {
  const unprintable = { toString: 1, valueOf: 1 };

  test('a size that is no number is a failure of the guest', async () => {
    for (const width of [unprintable, null, 'wide', -1, 1.5]) {
      const machine = await machineWith({ '/screen_size': [{ body: { width, height: 480 } }] });
      await expect(machine.screenSize()).rejects.toThrow(BoundaryError);
      await guest.close();
    }
  });

  test('a code that is no number counts as 0', async () => {
    const machine = await machineWith({ '/execute': [{ body: { ...OUTPUT, returncode: unprintable } }] });
    expect((await machine.run({ command: ['ls'] })).code).toBe(0);
  });

  test('a reply without end is not read into memory, and not requested again', async () => {
    const endless = [{ body: new Uint8Array(65 * 2 ** 20) }];
    const machine = await machineWith({ '/file': endless, '/wallpaper': endless, '/accessibility': endless });
    expect(await machine.readFile('/large')).toBeUndefined();
    expect(await machine.wallpaper()).toBeUndefined();
    await expect(machine.accessibilityTree()).rejects.toThrow(
      /^guest .*: \/accessibility: The reply has more than 67108864 bytes\. Use smaller files/,
    );
    expect(guest.requests.map(({ path }) => path)).toEqual(['/file', '/wallpaper', '/accessibility']);
  });
});
