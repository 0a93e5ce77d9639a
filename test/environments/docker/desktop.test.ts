// A real desktop in a container behind the Desktop contract: its laws, a task done and nearly done, and what breaks in the middle.

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { seed, taskId } from '../../../runtime/core/ids.ts';
import { key } from '../../../runtime/core/key.ts';
import { centre, type Screen } from '../../../runtime/core/screen.ts';
import type { Task } from '../../../runtime/core/task.ts';
import type { DockerDesktop } from '../../../runtime/environments/docker/desktop.ts';
import { describeUnless } from './engine.ts';
import { type Desktops, missingDesktops, realDesktops } from './real-desktops.ts';

const NOTE: Task = {
  id: taskId('greet'),
  instruction: 'Write "Good day " at the very beginning of the note, and save it.',
  config: [
    { type: 'upload_file', parameters: { files: [{ path: '~/note.txt', content: 'dear reader\n' }] } },
    { type: 'open', parameters: { path: '~/note.txt' } },
  ],
  evaluator: {
    func: 'compare_text_file',
    result: { type: 'vm_file', path: '~/note.txt', dest: 'note.txt' },
    expected: { type: 'rule', rules: { expected: 'Good day dear reader\n' } },
  },
};
const SAVE = { kind: 'hotkey', keys: [key('ctrl'), key('s')] } as const;
const TO_BEGINNING = { kind: 'hotkey', keys: [key('ctrl'), key('home')] } as const;

const LONG = 240_000;
const note = (screen: Screen) => screen.elements?.find(({ role }) => role === 'textarea');

describeUnless(missingDesktops, 'a desktop in a container', () => {
  let desktops: Desktops;
  let desktop: DockerDesktop;

  beforeAll(async () => {
    desktops = await realDesktops();
  });
  afterEach(async () => {
    await desktop.close();
    expect(await desktops.there()).toEqual([]);
  });
  afterAll(() => desktops?.close());

  const open = async (task: Task = NOTE) => {
    desktop = await desktops.open();
    return desktop.reset(task, seed(0));
  };

  test('what is typed into the editor and saved is judged 1; typed and not saved, 0; given up, 0', {
    timeout: LONG,
  }, async () => {
    const start = await open();
    expect(start.pixels).toMatchObject({ width: 320, height: 240, layout: 'rgba' });
    const before = note(start);
    expect(before).toMatchObject({ value: 'dear reader\n', states: expect.arrayContaining(['editable']) });
    await desktop.act({ kind: 'click', at: centre(before?.box ?? { x: 0, y: 0, width: 0, height: 0 }) });
    await desktop.act(TO_BEGINNING);
    const typed = await desktop.act({ kind: 'type', text: 'Good day ' });
    expect(note(typed)?.value).toBe('Good day dear reader\n');
    expect(await desktop.judge('finished')).toMatchObject({ score: 0 });
    await desktop.act(SAVE);
    expect(await desktop.judge('fail')).toMatchObject({ score: 0 });
    expect(await desktop.judge('finished')).toMatchObject({ score: 1 });

    // The same instance starts the same, in a container that knows nothing of what was done in the last.
    const again = await desktop.reset(NOTE, seed(0));
    expect(again.elements).toEqual(start.elements);
    expect(Buffer.compare(again.pixels.data, start.pixels.data)).toBe(0);
    expect(await desktop.judge('finished')).toMatchObject({ score: 0 });
    expect(await desktops.there()).toHaveLength(1);
  });

  test('the container of one task is made new for the next; one that cannot be is thrown away for another', {
    timeout: LONG,
  }, async () => {
    await open();
    const does = (command: string) =>
      desktop.query({ type: 'vm_command_line', command, shell: true }) as Promise<string>;
    const [first] = await desktops.there();
    await does('echo mine >~/mine; (setsid sleep 1000 &)');
    expect(note(await desktop.reset(NOTE, seed(0)))?.value).toBe('dear reader\n');
    expect(await desktops.there()).toEqual([first]);
    expect(await does('ls ~/mine; cat /proc/[0-9]*/cmdline | grep -c "[s]leep"; true')).toBe('0\n');
    await does('prlimit --pid 1 --nofile=512:512');
    expect(note(await desktop.reset(NOTE, seed(0)))?.value).toBe('dear reader\n');
    const there = await desktops.there();
    expect(there).toHaveLength(1);
    expect(there).not.toEqual([first]);
    expect(await does('ulimit -Hn')).toBe('4096\n');
  });

  test('finished and fail change nothing; what no hand can do is refused, and the desktop goes on', {
    timeout: LONG,
  }, async () => {
    const before = await open();
    for (const action of [
      { kind: 'finished', answer: '' },
      { kind: 'fail', why: '' },
      { kind: 'wait' },
    ] as const) {
      const after = await desktop.act(action);
      expect(after.elements).toEqual(before.elements);
      expect(Buffer.compare(after.pixels.data, before.pixels.data)).toBe(0);
    }
    await expect(desktop.act({ kind: 'click', at: { x: 320, y: 0 } })).rejects.toMatchObject({
      failure: {
        boundary: 'environment',
        message: expect.stringContaining('(320, 0) is off the screen of 320x240'),
      },
    });
    expect(await desktop.query({ type: 'vm_command_line', command: 'echo "$HOME"', shell: true })).toBe(
      '/home/desktop\n',
    );
  });

  test('a container that is killed in the middle of an action rejects it as broken, and is never judged', {
    timeout: LONG,
  }, async () => {
    await open();
    const [container] = await desktops.there();
    const acting = desktop.act({ kind: 'type', text: 'x'.repeat(3000) });
    const refused = expect(acting).rejects.toMatchObject({
      name: 'BoundaryError',
      failure: { boundary: 'environment' },
    });
    await desktops.host.remove(container ?? '');
    await refused;
    await expect(desktop.judge('finished')).rejects.toMatchObject({
      failure: { boundary: 'environment', message: expect.stringContaining('call reset first') },
    });
    expect(note(await desktop.reset(NOTE, seed(0)))?.value).toBe('dear reader\n');
  });

  test('what is under way when it is closed rejects, closing twice is well, and nothing is left', {
    timeout: LONG,
  }, async () => {
    await open();
    const asking = desktop.query({ type: 'vm_command_line', command: ['sleep', '60'] });
    const refused = expect(asking).rejects.toMatchObject({ failure: { message: 'the desktop was closed' } });
    await Promise.all([desktop.close(), desktop.close()]);
    await refused;
    await expect(desktop.act({ kind: 'wait' })).rejects.toMatchObject({
      failure: { boundary: 'environment' },
    });
    expect(await desktops.there()).toEqual([]);
  });

  test('two calls at once are refused, and the first goes on', { timeout: LONG }, async () => {
    await open();
    const first = desktop.query({ type: 'vm_command_line', command: ['echo', 'one'] });
    await expect(desktop.act(SAVE)).rejects.toThrow('two things at once');
    expect(await first).toBe('one\n');
  });

  test('steps and getters are OSWorld’s: launched, executed until, activated, read', {
    timeout: LONG,
  }, async () => {
    const config: Task['config'] = [
      { type: 'execute', parameters: { command: 'printf "a\\nb\\n" > ~/list', shell: true } },
      {
        type: 'command',
        parameters: { command: ['cat', '~/list'], stdout: 'kept.txt', until: { stdout: 'b' } },
      },
      { type: 'launch', parameters: { command: 'mousepad ~/list' } },
      { type: 'launch', parameters: { command: ['galculator'] } },
      { type: 'activate_window', parameters: { window_name: 'mousepad' } },
    ];
    const screen = await open({ ...NOTE, config });
    // The calculator is there, and nothing of it is told, since the editor covers it.
    expect(await desktop.query({ type: 'vm_command_line', command: ['wmctrl', '-l'] })).toMatch(/galculator/);
    expect(screen.elements?.some(({ role }) => role === 'button')).toBe(false);
    expect(note(screen)?.value).toBe('a\nb\n');
    expect(note(screen)?.states).toContain('focused');
    expect(await desktop.query({ type: 'cache_file', path: 'kept.txt' })).toBe('a\nb\n');
    expect(await desktop.query({ type: 'vm_command_error', command: ['ls', '/none'] })).toContain('/none');
    expect(
      await desktop.query({
        type: 'vm_file',
        path: ['~/list', '~/none'],
        dest: ['1', '2'],
        multi: true,
        gives: [0, 1],
      }),
    ).toEqual(['a\nb\n', null]);
  });

  test.each<[string, Partial<Task>, RegExp]>([
    [
      'a program that is not there',
      { config: [{ type: 'launch', parameters: { command: 'paint' } }] },
      /no program "paint"/,
    ],
    [
      'a command that is not there',
      { config: [{ type: 'execute', parameters: { command: ['paint'] } }] },
      /paint: .*not found/,
    ],
    ['a step that is not there', { config: [{ type: 'dance' }] }, /no such step; known are launch, execute/],
    ['a parameter that is not there', { config: [{ type: 'open', parameters: {} }] }, /step open: path: /],
    [
      'a file that is not there',
      { config: [{ type: 'open', parameters: { path: '~/none' } }] },
      /there is no ~\/none/,
    ],
    [
      'a window that is not there',
      { config: [{ type: 'activate_window', parameters: { window_name: 'none' } }] },
      /no window "none"/,
    ],
    ['a network', { config: [{ type: 'download', parameters: { files: [] } }] }, /has no network/],
  ])('a task that asks for %s is at fault', { timeout: LONG }, async (_what, part, message) => {
    const refused = await open({ ...NOTE, ...part }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ name: 'BoundaryError', failure: { boundary: 'task' } });
    expect(String(refused)).toMatch(message);
  });
});
