// A guest as a desktop, against a server of the guest API.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encode } from 'fast-png';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Clock } from '../../../runtime/core/clock.ts';
import type { Desktop } from '../../../runtime/core/desktop.ts';
import { desktopId, seed } from '../../../runtime/core/ids.ts';
import { type GuestOptions, openGuest } from '../../../runtime/environments/guest/open-guest.ts';
import type { DesktopProvider } from '../../../runtime/environments/provider.ts';
import { temporaryFolder } from '../../temporary.ts';
import { type FakeGuest, fakeGuest, type GuestAnswer } from './fake-guest.ts';

/** Pauses take no time, and deadlines never pass. */
const clock = (): Clock => {
  let now = 0;
  return {
    now: () => now,
    sleep: (ms, signal) => {
      if (ms > 10_000)
        return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
      now += ms;
      return Promise.resolve();
    },
  };
};

/** A change of 15 pixels is none. */
const SIZE = { width: 200, height: 150 };

/** A picture with so many dark pixels on a light screen. */
function picture(dark: number): Uint8Array {
  const data = new Uint8Array(SIZE.width * SIZE.height * 3).fill(200);
  data.fill(0, 0, 3 * dark);
  return encode({ ...SIZE, channels: 3, depth: 8, data });
}

const TASK = {
  id: 'note-write',
  instruction: 'Write hello.',
  config: [{ type: 'launch', parameters: { command: ['gedit'] } }],
  evaluator: {
    postconfig: [{ type: 'sleep', parameters: { seconds: 1 } }],
    func: 'exact_match',
    result: { type: 'vm_command_line', command: ['cat', 'note'] },
    expected: { type: 'rule', rules: { expected: 'hello' } },
  },
  related_apps: ['gedit'],
};

let guest: FakeGuest;
let provider: DesktopProvider;
let desktop: Desktop;
let told: string[];

const output = (text: string): GuestAnswer => ({
  body: { status: 'success', output: text, error: '', returncode: 0 },
});

async function open(
  screens: readonly GuestAnswer[],
  others: Partial<Pick<GuestOptions, 'revert' | 'hasElements' | 'judgeDelaySeconds' | 'clock'>> = {},
): Promise<void> {
  guest = await fakeGuest({
    '/screenshot': screens,
    '/execute': [output('hello')],
    '/setup/launch': [{ body: 'ok' }],
    '/screen_size': [{ body: SIZE }],
    '/accessibility': [{ body: { AT: '<desktop-frame name="main"/>' } }],
  });
  const files = temporaryFolder('guest');
  mkdirSync(join(files, 'os'));
  writeFileSync(join(files, 'os', 'note.json'), JSON.stringify(TASK));
  writeFileSync(
    join(files, 'os', 'drive.json'),
    JSON.stringify({ ...TASK, id: 'drive', config: [{ type: 'login' }] }),
  );
  told = [];
  provider = await openGuest({
    hosts: [{ address: guest.url, browserPort: 9, vlcPort: 9 }],
    ...{ password: 'password', network: false, mostScreenshots: 1000, mostAgeMinutes: 60 },
    judgeDelaySeconds: 0,
    ...{ files, downloads: join(files, 'kept'), hasElements: false, clock: clock() },
    health: (_, __, message) => told.push(message),
    ...others,
  });
  desktop = await provider.make(desktopId('guest-1'));
}

beforeEach(() => {
  told = [];
});
afterEach(async () => {
  await desktop.close();
  await guest.close();
});

const reset = () => desktop.reset(provider.suite.task('note-write', seed(0)), seed(0));
const paths = () => guest.requests.map(({ path }) => path);

describe('a guest', () => {
  test('has the tasks of the folder that can run, and says why the others are left out', async () => {
    await open([{ body: picture(5) }]);
    expect(provider.suite.tasks('train')).toEqual(['note-write']);
    expect(provider.suite.tasks('train', 3)).toEqual(['note-write']);
    expect(told).toEqual([
      'os/drive.json is left out: the set-up step login needs an account at Google Drive',
    ]);
  });

  test('is ready when its screen shows something', async () => {
    await open([{ body: picture(0) }, { status: 502, body: '' }, { body: picture(5) }]);
    const { pixels } = await reset();
    expect([pixels.width, pixels.height]).toEqual([200, 150]);
    expect(paths().indexOf('/setup/launch')).toBeGreaterThan(paths().lastIndexOf('/execute'));
  });

  test('performs an action once, and waits until the screen is calm', async () => {
    await open([{ body: picture(5) }]);
    await reset();
    guest.answer('/screenshot', [{ body: picture(400) }, { body: picture(700) }, { body: picture(700) }]);
    const before = guest.requests.length;
    const screen = await desktop.act({ kind: 'click', at: { x: 3, y: 4 } });
    expect(paths().slice(before)).toEqual(['/execute', '/screenshot', '/screenshot', '/screenshot']);
    expect(guest.requests[before]?.body).toContain('pyautogui.click(3, 4)');
    expect(screen.pixels.data.subarray(0, 3 * 700).every(value => value === 0)).toBe(true);
  });

  test('waits for an effect that comes late, and for two seconds where there is none', async () => {
    await open([{ body: picture(5) }]);
    await reset();
    const click = { kind: 'click', at: { x: 3, y: 4 } } as const;
    guest.answer('/screenshot', [...Array(6).fill({ body: picture(5) }), { body: picture(700) }]);
    const late = await desktop.act(click);
    expect(late.pixels.data.subarray(0, 3 * 700).every(value => value === 0)).toBe(true);
    const before = guest.requests.length;
    await desktop.act(click);
    // 2 s in steps of 150 ms.
    expect(
      paths()
        .slice(before)
        .filter(path => path === '/screenshot'),
    ).toHaveLength(14);
  });

  test('takes a moved pointer or a cursor that blinks for no effect', async () => {
    await open([{ body: picture(5) }]);
    await reset();
    guest.answer('/screenshot', [
      ...Array(3).fill({ body: picture(12) }),
      ...Array(3).fill({ body: picture(5) }),
      { body: picture(700) },
    ]);
    const { pixels } = await desktop.act({ kind: 'click', at: { x: 3, y: 4 } });
    expect(pixels.data.subarray(0, 3 * 700).every(value => value === 0)).toBe(true);
  });

  test('does not count an action whose program failed as performed', async () => {
    await open([{ body: picture(5) }]);
    await reset();
    const failed = {
      status: 'success',
      output: '',
      error: 'Traceback\nNotImplementedError: no clipboard\n',
      returncode: 1,
    };
    guest.answer('/execute', [{ body: failed }]);
    await expect(desktop.act({ kind: 'type', text: 'né' })).rejects.toThrow(
      /could not perform the action \(exit code 1\): NotImplementedError: no clipboard\. Check/,
    );
  });

  test('is looked at without its elements while its picture stays the same', async () => {
    const [before, after] = [{ body: picture(5) }, { body: picture(400) }];
    await open([before], { hasElements: true });
    const { elements } = await reset();
    expect(elements).toEqual([]);
    guest.answer('/screenshot', [...Array(3).fill(before), after]);
    const count = () => paths().filter(path => path === '/accessibility').length;
    const read = count();
    for (let look = 0; look < 3; look++) expect((await desktop.look?.())?.elements).toEqual(elements);
    expect(count()).toBe(read);
    const { pixels } = (await desktop.look?.()) ?? {};
    expect(pixels?.data.subarray(0, 3 * 400).every(value => value === 0)).toBe(true);
    expect(count()).toBe(read + 1);
    await desktop.look?.();
    expect(count()).toBe(read + 1);
  });

  test('is looked at without its elements while a cursor blinks, until small changes have added up', async () => {
    await open([{ body: picture(5) }], { hasElements: true });
    await reset();
    const count = () => paths().filter(path => path === '/accessibility').length;
    const read = count();
    const lookAt = async (dark: number) => {
      guest.answer('/screenshot', [{ body: picture(dark) }]);
      const { pixels } = (await desktop.look?.()) ?? {};
      expect(pixels?.data[3 * (dark - 1)]).toBe(0);
      expect(pixels?.data[3 * dark]).toBe(200);
    };
    for (const dark of [15, 5, 15, 20]) await lookAt(dark);
    expect(count()).toBe(read);
    await lookAt(25);
    expect(count()).toBe(read + 1);
  });

  test('is judged after the last steps of the task', async () => {
    await open([{ body: picture(5) }]);
    await reset();
    expect((await desktop.judge('finished')).score).toBe(1);
    expect((await desktop.judge('fail')).score).toBe(0);
  });

  test('rests before the last steps of the task, unless its state is not inspected', async () => {
    const virtual = clock();
    const sleeps: number[] = [];
    const sleep: Clock['sleep'] = (ms, signal) => {
      // Longer ones are deadlines.
      if (ms <= 20_000) sleeps.push(ms);
      return ms === 20_000 ? Promise.resolve() : virtual.sleep(ms, signal);
    };
    await open([{ body: picture(5) }], { judgeDelaySeconds: 20, clock: { ...virtual, sleep } });
    await reset();
    sleeps.length = 0;
    await desktop.judge('finished');
    expect(sleeps).toEqual([20_000, 1000]);
    await desktop.judge('fail');
    expect(sleeps).toHaveLength(2);
  });

  test('refuses an action off the screen without asking the guest', async () => {
    await open([{ body: picture(5) }]);
    await reset();
    const before = guest.requests.length;
    await expect(desktop.act({ kind: 'click', at: { x: 200, y: 0 } })).rejects.toThrow(
      /off the screen of 200x150/,
    );
    expect(guest.requests.length).toBe(before);
  });

  test('is restored before each episode by a command that knows its address', async () => {
    await open([{ body: picture(5) }], { revert: 'printf "%s\\n" "$DARTBOARD_GUEST" >> "$REVERTED"' });
    const list = join(temporaryFolder('reverted'), 'list');
    process.env['REVERTED'] = list;
    await reset();
    await reset();
    expect(readFileSync(list, 'utf8')).toBe(`${guest.url}\n${guest.url}\n`);
  });

  test('stops the command that restores it when the desktop is closed', async () => {
    await open([{ body: picture(5) }], { revert: 'while :; do echo >> "$REVERTED"; sleep 0.05; done' });
    const list = join(temporaryFolder('reverting'), 'list');
    process.env['REVERTED'] = list;
    const pending = reset().catch(String);
    await expect.poll(() => existsSync(list)).toBe(true);
    await desktop.close();
    expect(await pending).toContain('the desktop is closed');
    const size = readFileSync(list).length;
    await new Promise(resolve => setTimeout(resolve, 300));
    expect(readFileSync(list)).toHaveLength(size);
  });

  test('is used by one desktop at a time, and free again when that is closed', async () => {
    await open([{ body: picture(5) }]);
    await expect(provider.make(desktopId('guest-2'))).rejects.toThrow(/all 1 guests are in use/);
    await desktop.close();
    desktop = await provider.make(desktopId('guest-2'));
  });
});

test('a folder of tasks is required', async () => {
  await open([{ body: picture(5) }]);
  const none = { hosts: [], password: '', network: false, mostScreenshots: 1, mostAgeMinutes: 1 };
  const rest = {
    judgeDelaySeconds: 0,
    files: undefined,
    downloads: '',
    hasElements: false,
    clock: clock(),
    health: () => undefined,
  };
  await expect(openGuest({ ...none, ...rest })).rejects.toThrow(/Set 'suite\.files' to a folder/);
});
