// The viewers of desktops: polls, timeouts and what the host is told.

import { expect, test } from 'vitest';
import { desktopId, runId, taskId } from '../../runtime/core/ids.ts';
import { key } from '../../runtime/core/key.ts';
import { NOT_WATCHED, type View, type Watch } from '../../runtime/core/view.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { browserHere } from '../../runtime/environments/web/browser-here.ts';
import { embeddedFabric } from '../../runtime/fabric/embedded-fabric.ts';
import { DesktopViewers, type DesktopViews } from '../../runtime/run/desktop-viewers.ts';
import { lookAt } from '../../runtime/server/desktops/desktops.ts';
import { kindsHere } from '../../runtime/server/desktops/kinds.ts';

const D0 = desktopId('d0');
const view = (more: Partial<View> = {}): View => ({
  ...{ desktop: D0, size: 'small', at: 1, use: 'playing' },
  ...more,
});

function open() {
  const fabric = embeddedFabric();
  const clock = new VirtualClock(1_000_000);
  const audience = new DesktopViewers({ ...fabric, clock });
  const told: Watch[] = [];
  const listen = async () => {
    for await (const watch of fabric.watched.watch()) told.push(watch);
  };
  void listen();
  const pass = (milliseconds: number) => clock.run(clock.now() + milliseconds);
  return { fabric, clock, audience, told, pass };
}

test('the host is told once when the first viewer comes and once when the last one leaves', async () => {
  const { audience, told, pass } = open();
  await pass(10_000);
  expect(told).toEqual([]);
  const first = audience.look({ after: 0 });
  await pass(1000);
  expect((await first).views).toEqual([]);
  for (let count = 0; count < 5; count++) {
    const again = audience.look({ after: 0 });
    await pass(1000);
    await again;
  }
  expect(told).toMatchObject([{ wall: true, whole: [] }]);
  await pass(5000);
  expect(told.slice(1)).toEqual([NOT_WATCHED]);
  void audience.look({ after: 0, desktop: D0 });
  await pass(0);
  expect(told.at(-1)).toMatchObject({ wall: false, whole: ['d0'] });
  expect(told.at(-1)?.since).toBeGreaterThan(told[0]?.since ?? 0);
});

test('a poll returns as soon as there is a newer view, and never an old one', async () => {
  const { fabric, audience, pass } = open();
  let found: DesktopViews | undefined;
  const ask = async (after: number) => {
    found = undefined;
    found = await audience.look({ after });
  };
  void ask(0);
  await pass(100);
  expect(found).toBeUndefined();
  fabric.views.publish(view({ use: 'idle' }));
  await pass(0);
  expect(found?.views).toMatchObject([{ desktop: 'd0', use: 'idle' }]);
  const { after } = found ?? { after: 0 };
  void ask(after);
  fabric.views.publish(view({ desktop: desktopId('d1') }));
  await pass(0);
  expect(found?.views.map(({ desktop }) => desktop)).toEqual(['d1']);
  // Of many the latest counts.
  for (const steps of [1, 2, 3]) {
    const doing = { task: taskId('task'), instruction: '', steps, mostSteps: 9 };
    fabric.views.publish(view({ doing }));
  }
  await pass(0);
  await ask(found?.after ?? 0);
  expect(found?.views.map(({ doing }) => doing?.steps)).toEqual([3]);
});

test('a picture that nobody asked for is not stored', async () => {
  const { fabric, audience, pass } = open();
  const wall = audience.look({ after: 0 });
  await pass(0);
  fabric.views.publish(view({ size: 'whole' }));
  await pass(1000);
  expect((await wall).views).toEqual([]);
  const close = audience.look({ after: 0, desktop: D0 });
  await pass(0);
  fabric.views.publish(view({ size: 'whole', use: 'idle' }));
  await pass(1000);
  expect((await close).views).toMatchObject([{ size: 'whole', use: 'idle' }]);
});

test('the overview gets small pictures, and a single desktop whole ones', async () => {
  const { fabric, audience, pass } = open();
  const [wall, close] = [audience.look({ after: 0 }), audience.look({ after: 0, desktop: D0 })];
  await pass(0);
  fabric.views.publish(view({ size: 'whole', desktop: desktopId('d1') }));
  fabric.views.publish(view());
  fabric.views.publish(view({ size: 'whole' }));
  await pass(0);
  expect((await wall).views).toMatchObject([{ size: 'small' }]);
  expect((await close).views).toMatchObject([{ size: 'whole', desktop: 'd0' }]);
});

test('closing ends all polls, and later ones return no views', async () => {
  const { audience, pass, told } = open();
  const waiting = audience.look({ after: 0 });
  await pass(0);
  await audience.close();
  expect((await waiting).views).toEqual([]);
  expect((await audience.look({ after: 3 })).views).toEqual([]);
  await pass(0);
  expect(told.at(-1)).toEqual(NOT_WATCHED);
});

test('a reply names the position of each picture among its bytes', async () => {
  const [one, other] = [Uint8Array.of(1, 2, 3), Uint8Array.of(4, 5)];
  const screen = { width: 320, height: 240 };
  const action = { kind: 'hotkey', keys: [key('enter')] } as const;
  const doing = { task: taskId('task'), instruction: 'Do it.', steps: 1, mostSteps: 4, action };
  const views = [
    view({ picture: one, screen }),
    view({ desktop: desktopId('d1'), use: 'broken' }),
    view({ desktop: desktopId('d2'), picture: other, screen, doing }),
  ];
  const looking = { run: runId('run'), look: async () => ({ after: 7, views }), hosts: () => undefined };
  const { result, bytes } = await lookAt(looking, { after: 0 });
  expect(bytes).toEqual(Buffer.of(1, 2, 3, 4, 5));
  expect(result.views.map(({ picture }) => picture && [picture.from, picture.length])).toEqual([
    [0, 3],
    undefined,
    [3, 2],
  ]);
  expect(result.views[2]?.doing?.says).toBe('press Enter');
  expect((await lookAt(undefined, { after: 5 })).result).toEqual({ after: 5, views: [] });
});

test('an unavailable kind of desktops reports what is missing', async () => {
  const kinds = async (look: () => Promise<{ tag: string; isThere: boolean }>) => {
    const clock = new VirtualClock();
    const none = { guests: async () => [], hasTrajectories: async () => false };
    const asked = kindsHere({ engine: look, browser: () => undefined, ...none, clock });
    await clock.run();
    return (await asked)[1];
  };
  const tag = 'dartboard-small:1';
  expect(await kinds(async () => ({ tag, isThere: true }))).toEqual({ kind: 'docker', is: 'here' });
  expect(await kinds(async () => ({ tag, isThere: false }))).toMatchObject({ is: 'unbuilt' });
  const away = { is: 'away', why: 'no engine' };
  expect(await kinds(() => Promise.reject(new Error('no engine')))).toMatchObject(away);
  // Who is to be asked what to train does not wait for an engine that hangs.
  expect(await kinds(() => new Promise(() => undefined))).toMatchObject({ is: 'away' });
});

test('web desktops need a browser, and without one the offer explains how to install it', async () => {
  const clock = new VirtualClock();
  const places = { platform: 'linux', environment: {}, isExecutable: (path: string) => path === '/opt/mine' };
  const kinds = async (configured: string) => {
    const engine = () => Promise.reject(new Error('no engine'));
    const browser = () => browserHere(configured, places);
    const none = { guests: async () => [], hasTrajectories: async () => false };
    return (await kindsHere({ engine, browser, ...none, clock }))[2];
  };
  expect(await kinds('/opt/mine')).toEqual({ kind: 'web', is: 'here' });
  expect(await kinds('auto')).toMatchObject({
    ...{ kind: 'web', is: 'away' },
    why: expect.stringMatching(/^Web desktops: no browser .*apt-get install .*environments\.web\.browser/),
  });
  expect(await kinds('/opt/other')).toMatchObject({ why: expect.stringContaining("'/opt/other' is not") });
});
