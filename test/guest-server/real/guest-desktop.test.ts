// Both directions together: our guests drive Docker desktops that our server serves under OSWorld's API.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Desktop } from '../../../runtime/core/desktop.ts';
import { desktopId, seed, taskId } from '../../../runtime/core/ids.ts';
import { key } from '../../../runtime/core/key.ts';
import { centre, type Screen } from '../../../runtime/core/screen.ts';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import type { Task } from '../../../runtime/core/task.ts';
import { DockerDesktop } from '../../../runtime/environments/docker/desktop.ts';
import { GuestApi } from '../../../runtime/environments/guest/guest-api.ts';
import { GuestMachine } from '../../../runtime/environments/guest/guest-machine.ts';
import { describeUnless } from '../../environments/docker/engine.ts';
import { missingDesktops } from '../../environments/docker/real-desktops.ts';
import { type Guests, guestsAt } from './guest-of-container.ts';
import { losingProxy } from './losing-proxy.ts';
import { call, type RealServer, realServer } from './real-server.ts';

const LINES = Array.from({ length: 200 }, (_, index) => `line ${index}`).join('\n');
const NOTE: Task = {
  id: taskId('note'),
  instruction: 'Write into the note.',
  config: [
    { type: 'upload_file', parameters: { files: [{ path: '/home/desktop/note.txt', content: LINES }] } },
    { type: 'launch', parameters: { command: ['mousepad', '/home/desktop/note.txt'] } },
  ],
  evaluator: {
    func: 'check_include_exclude',
    result: { type: 'vm_command_line', command: ['head', '-n', '1', '/home/desktop/note.txt'] },
    expected: { type: 'rule', rules: { include: ['a<b "c" ž漢'], exclude: [] } },
  },
  related_apps: ['mousepad'],
};

const hotkey = (first: string, ...rest: string[]) =>
  ({ kind: 'hotkey', keys: [key(first), ...rest.map(key)] }) as const;
const note = (screen: Screen) => screen.elements?.find(({ role }) => role === 'textarea');
const named = (screen: Screen, role: string, name: string) => {
  const found = screen.elements?.find(each => each.role === role && each.name.startsWith(name));
  if (found === undefined) throw new Error(`No ${role} '${name}' is on the screen.`);
  return centre(found.box);
};
/** Bytes of the pixels that differ. */
const different = (one: Screen, other: Screen): number =>
  one.pixels.data.filter((byte, at) => byte !== other.pixels.data[at]).length;
const same = (one: Screen, other: Screen): boolean =>
  Buffer.compare(one.pixels.data, other.pixels.data) === 0;

describeUnless(missingDesktops, 'a guest on a served Docker desktop', () => {
  let server: RealServer;
  let guests: Guests;
  let desktop: Desktop;
  let address: string;

  beforeAll(async () => {
    server = await realServer(1, 1);
    [address = ''] = server.addresses;
    guests = await guestsAt(server.addresses, [NOTE]);
  });
  afterEach(() => desktop?.close());
  afterAll(() => server?.close());

  const open = async () => {
    desktop = await guests.open();
    return desktop.reset(NOTE_OF_GUEST(), seed(0));
  };
  const NOTE_OF_GUEST = () => guests.provider.suite.task('note', seed(0));
  const shell = async (command: string): Promise<string> =>
    JSON.parse((await call(address, '/execute', { command, shell: true })).text).output;

  test('sees the pixels and elements of a Docker desktop with the same task', async () => {
    const seen = await open();
    const taken = await server.fleet.take();
    const docker = new DockerDesktop(desktopId('docker-1'), taken, {
      ...{ next: () => server.fleet.take(), clock: systemClock, scale: 1 },
    });
    try {
      const expected = await docker.reset(NOTE, seed(0));
      const brief = ({ elements = [] }: Screen) =>
        elements.map(({ role, name, box }) => ({ role, name, box }));
      expect(brief(seen)).toEqual(brief(expected));
      expect(brief(seen).length).toBeGreaterThan(5);
      const { width, height, data } = expected.pixels;
      expect([seen.pixels.width, seen.pixels.height]).toEqual([width, height]);
      // One has transparency and the other one has not.
      const colours = data.filter((_, index) => index % 4 !== 3);
      expect(Buffer.compare(seen.pixels.data, colours)).toBe(0);
    } finally {
      await docker.close();
    }
  });

  test('clicks, types every letter, presses chords, and is judged', async () => {
    const start = await open();
    expect((await desktop.judge('finished')).score).toBe(0);
    await desktop.act({ kind: 'click', at: centre(note(start)?.box ?? { x: 0, y: 0, width: 0, height: 0 }) });
    await desktop.act(hotkey('ctrl', 'home'));
    const typed = await desktop.act({ kind: 'type', text: 'a<b "c" ž漢 >|~\t' });
    expect(note(typed)?.value.split('\n')[0]).toBe('a<b "c" ž漢 >|~\tline 0');
    // A paste replaces what is selected.
    await desktop.act(hotkey('shift', 'home'));
    const replaced = await desktop.act({ kind: 'type', text: '漢字' });
    expect(note(replaced)?.value.split('\n')[0]).toBe('漢字line 0');
    await desktop.act(hotkey('ctrl', 'z'));
    await desktop.act(hotkey('ctrl', 's'));
    expect((await desktop.judge('finished')).score).toBe(1);
  });

  test('opens menus, scrolls and comes back, and drags a window', async () => {
    const start = await open();
    const menu = await desktop.act({ kind: 'click', at: named(start, 'menu', 'Edit') });
    expect(menu.elements?.some(({ role }) => role === 'menuitem')).toBe(true);
    const closed = await desktop.act(hotkey('esc'));
    const at = centre(note(closed)?.box ?? { x: 0, y: 0, width: 0, height: 0 });
    const hovered = await desktop.act({ kind: 'move', at });
    const scrolled = await desktop.act({ kind: 'scroll', at, direction: 'down', notches: 3 });
    expect(same(scrolled, hovered)).toBe(false);
    const back = await desktop.act({ kind: 'scroll', at, direction: 'up', notches: 3 });
    // The line of the text cursor looks different, and the scroll bar.
    expect(different(back, hovered)).toBeLessThan(different(scrolled, hovered) / 10);
    // Its title bar begins at (60, 60).
    await shell('wmctrl -r Mousepad -e 0,60,60,300,200');
    const place = async () =>
      /^\S+\s+\S+\s+(\d+)\s+(\d+)/m.exec(await shell('wmctrl -lG | grep Mousepad'))?.slice(1);
    const before = (await place())?.map(Number) ?? [];
    const [x = 0, y = 0] = before;
    await desktop.act({ kind: 'drag', from: { x: 160, y: 72 }, to: { x: 220, y: 122 } });
    expect((await place())?.map(Number)).toEqual([x + 60, y + 50]);
  });

  test('exchanges files, lists folders, runs programs and manages windows', async () => {
    await open();
    const api = new GuestApi({ url: address, clock: systemClock });
    const machine = new GuestMachine({
      ...{ api, vlc: async () => undefined },
      browser: { tabs: async () => [] } as never,
    });
    const bytes = Uint8Array.from({ length: 300_000 }, (_, index) => (index * 31) % 256);
    await machine.writeFile('~/sub folder/ž.bin', bytes);
    expect(Buffer.compare((await machine.readFile('~/sub folder/ž.bin')) ?? new Uint8Array(), bytes)).toBe(0);
    expect(await machine.readFile('/none')).toBeUndefined();
    expect(await machine.directory('/home/desktop/sub folder')).toEqual({
      ...{ type: 'directory', name: 'sub folder', children: [{ type: 'file', name: 'ž.bin' }] },
    });
    expect(await machine.run({ command: 'echo out; echo err >&2; exit 3', shell: true })).toEqual({
      ...{ output: 'out\n', errors: 'err\n', code: 3 },
    });
    await machine.open('/home/desktop/sub folder');
    expect(await machine.windowSize('pcmanfm')).toMatchObject({ width: expect.any(Number) });
    await machine.activateWindow({ name: 'Mousepad', strict: false, byClass: false });
    await machine.closeWindow({ name: 'sub folder', strict: false, byClass: false });
    await expect.poll(() => shell('wmctrl -l')).not.toContain('sub folder');
    expect(await machine.windowSize('pcmanfm')).toBeUndefined();
    expect(await machine.screenSize()).toEqual({ width: 640, height: 480 });
    expect(await machine.terminalText()).toBeNull();
  });

  test('an action whose reply is lost is performed once', async () => {
    const proxy = await losingProxy(address);
    try {
      const others = await guestsAt([proxy.url], [NOTE]);
      desktop = await others.open();
      await desktop.reset(NOTE_OF_GUEST(), seed(0));
      await desktop.act(hotkey('ctrl', 'home'));
      proxy.lose('/execute');
      await expect(desktop.act({ kind: 'type', text: 'once ' })).rejects.toThrow(proxy.url);
      const tree = JSON.parse((await call(address, '/accessibility')).text).AT;
      expect(tree.match(/once /g)).toHaveLength(1);
      expect(tree).toContain('once line 0');
    } finally {
      await proxy.close();
    }
  });

  test('a container that is killed is replaced, and its guest and the user are told', async () => {
    await open();
    const [killed = ''] = await server.there();
    const reported = server.reports.length;
    await server.host.remove(killed);
    await expect.poll(() => server.reports.length).toBeGreaterThan(reported);
    expect(server.reports[reported]).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+ false: its container ended .* A new desktop takes its place/,
    );
    await expect(desktop.act({ kind: 'type', text: 'x' })).rejects.toThrow(address);
    const next = await desktop.reset(NOTE_OF_GUEST(), seed(0));
    expect(note(next)?.value).toBe(LINES);
    expect(await server.there()).not.toContain(killed);
  });

  test('a guest is restored to its clean state for each episode, in the same container', async () => {
    const start = await open();
    const containers = await server.there();
    await shell('echo mine >~/mine; (setsid sleep 1000 &)');
    await desktop.act({ kind: 'type', text: 'changed' });
    const again = await desktop.reset(NOTE_OF_GUEST(), seed(0));
    expect(await shell('ls ~/mine; pgrep -x sleep')).toBe('');
    expect(again.elements).toEqual(start.elements);
    expect(same(again, start)).toBe(true);
    expect(await server.there()).toEqual(containers);
  });

  describe('its server', () => {
    test('runs long commands beside short ones', async () => {
      const slow = call(address, '/execute', {
        command: 'until [ -e ~/done ]; do sleep 0.05; done',
        shell: true,
      });
      expect((await call(address, '/execute', { command: 'touch ~/done', shell: true })).status).toBe(200);
      expect((await slow).status).toBe(200);
    });

    test('restores the clean state also while a command runs', async () => {
      const slow = call(address, '/execute', { command: 'sleep 100', shell: true });
      await expect.poll(() => shell('pgrep -x sleep')).not.toBe('');
      expect((await call(address, '/dartboard/revert', {})).status).toBe(200);
      expect((await slow).text).toContain('restored during the request');
    });
  });
});
