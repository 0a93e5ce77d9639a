// A real desktop in a container: its contract, judged tasks, and failures during a task.

import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { seed, taskId } from '../../../runtime/core/ids.ts';
import { key } from '../../../runtime/core/key.ts';
import { centre, type Screen } from '../../../runtime/core/screen.ts';
import type { Task } from '../../../runtime/core/task.ts';
import type { DockerDesktop } from '../../../runtime/environments/docker/desktop.ts';
import { PATIENCE } from '../../patience.ts';
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

  test('a text that is typed and saved scores 1; unsaved or given up it scores 0', {
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

    // The same instance starts in the same state, without traces of the last task.
    const again = await desktop.reset(NOTE, seed(0));
    expect(again.elements).toEqual(start.elements);
    expect(Buffer.compare(again.pixels.data, start.pixels.data)).toBe(0);
    expect(await desktop.judge('finished')).toMatchObject({ score: 0 });
    expect(await desktops.there()).toHaveLength(1);
  });

  test('a task reuses the container after a reset; a container that cannot be reset is replaced', {
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

  test('finished, fail and none change nothing; an impossible action is refused, and the desktop goes on', {
    timeout: LONG,
  }, async () => {
    const before = await open();
    for (const action of [
      { kind: 'finished', answer: '' },
      { kind: 'none', why: 'unreadable' },
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

  test('a look shows the elements of a window that opened by itself', {
    timeout: LONG,
  }, async () => {
    await open();
    const other = { path: '~/other.txt', content: 'another reader' };
    await desktop.setup({ type: 'upload_file', parameters: { files: [other] } });
    await desktop.setup({ type: 'open', parameters: { path: other.path } });
    await vi.waitUntil(
      async () => (await desktop.look()).elements?.some(({ value }) => value.includes(other.content)),
      PATIENCE,
    );
  });

  test('a container that is killed during an action rejects it as broken, and is not judged', {
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
      // The connection may end before the engine reports the death.
      failure: {
        boundary: 'environment',
        message: expect.stringMatching(/call reset first|Reset the desktop/),
      },
    });
    expect(note(await desktop.reset(NOTE, seed(0)))?.value).toBe('dear reader\n');
  });

  test('close rejects a running call, can be repeated, and leaves no container', {
    timeout: LONG,
  }, async () => {
    await open();
    const asking = desktop.query({ type: 'vm_command_line', command: ['sleep', '60'] });
    const refused = expect(asking).rejects.toMatchObject({
      failure: { message: expect.stringContaining('closed') },
    });
    await Promise.all([desktop.close(), desktop.close()]);
    await refused;
    await expect(desktop.act({ kind: 'wait' })).rejects.toMatchObject({
      failure: { boundary: 'environment' },
    });
    expect(await desktops.there()).toEqual([]);
  });

  test('a second call at the same time is refused, and the first one goes on', {
    timeout: LONG,
  }, async () => {
    await open();
    const first = desktop.query({ type: 'vm_command_line', command: ['echo', 'one'] });
    await expect(desktop.act(SAVE)).rejects.toThrow('two calls at the same time');
    expect(await first).toBe('one\n');
  });

  test('supports the steps and getters of OSWorld', {
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
    // The calculator runs but has no elements, because the editor covers it.
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
    ).toEqual([{ name: 'list', bytes: Buffer.from('a\nb\n') }, null]);
  });

  test.each<[string, Partial<Task>, RegExp]>([
    [
      'a missing program',
      { config: [{ type: 'launch', parameters: { command: 'paint' } }] },
      /no program "paint"/,
    ],
    [
      'a missing command',
      { config: [{ type: 'execute', parameters: { command: ['paint'] } }] },
      /paint: .*not found/,
    ],
    ['an unknown step', { config: [{ type: 'dance' }] }, /unknown set-up step. Use one of launch, execute/],
    ['a missing parameter', { config: [{ type: 'open', parameters: {} }] }, /step open: path: /],
    [
      'a missing file',
      { config: [{ type: 'open', parameters: { path: '~/none' } }] },
      /~\/none does not exist/,
    ],
    [
      'a missing window',
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
