// The routes of the guest API that run commands, scripts and programs, over HTTP.

import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BoundaryError } from '../../runtime/core/failure.ts';
import type { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import type { servedDesktop } from './fake-desktops.ts';
import { guestApi } from './guest-api.ts';

const guest = guestApi();
const { execute, machine, post, send } = guest;
let clock: VirtualClock;
let home: string;
let desktop: ReturnType<typeof servedDesktop>;

beforeEach(async () => {
  ({ clock, home, desktop } = await guest.open());
});
afterEach(() => guest.close());

const PREFIX = 'import pyautogui; import time; pyautogui.FAILSAFE = False; ';

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
    [{ script: 'true', working_dir: '/tmp/\0' }, 500, 'the command contains a NUL; remove it'],
  ])('%j fails as in OSWorld', async (given, status, output) => {
    const failure = { status: 'error', output, error: '', returncode: -1 };
    expect(await post('/run_bash_script', given)).toMatchObject({ status, json: failure });
  });

  test('that hang are reported as timed out', async () => {
    machine().hangs = true;
    expect(await post('/run_bash_script', { script: 'true', timeout: 1 })).toMatchObject({
      ...{ status: 500, json: { output: 'Script execution timed out after 1 seconds', returncode: -1 } },
    });
  });

  test('have their result also if their file cannot be removed', async () => {
    const fake = machine();
    const run = fake.run.bind(fake);
    fake.run = (line, options) =>
      line.startsWith('rm ') ? Promise.reject(new Error('no more processes')) : run(line, options);
    expect((await post('/run_bash_script', { script: 'echo done' })).json).toMatchObject({
      ...{ status: 'success', output: 'done\n' },
    });
  });

  test('longer than an argument can be run, and leave no file', async () => {
    const script = `: ${'x'.repeat(200_000)}\necho "$0"`;
    const { json } = await post('/run_bash_script', { script });
    expect(json).toMatchObject({ status: 'success', output: expect.stringMatching(/^\/tmp\/.*\.sh\n$/) });
    expect(existsSync(json.output.trim())).toBe(false);
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
