// The pictures that a display sends, and when it sends none.

import { decode } from 'fast-png';
import { expect, test, vi } from 'vitest';
import type { Desktop, FirstScreen } from '../../../runtime/core/desktop.ts';
import type { Point } from '../../../runtime/core/screen.ts';
import { NOT_WATCHED } from '../../../runtime/core/view.ts';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import { PocketDesktop } from '../../../runtime/environments/pocket/desktop.ts';
import { downscale } from '../../../runtime/run/host/downscale.ts';
import { PATIENCE } from '../../patience.ts';
import { at, watchedDesktops } from './watched-desktops.ts';

const WALL = { since: 1, wall: true, whole: [] };

/** Desktops under a clock of their own. Pictures are compressed in other threads, which take real time. */
function watched(count: number, options?: Parameters<typeof watchedDesktops>[2]) {
  const clock = new VirtualClock();
  const rest = (milliseconds: number) => clock.run(clock.now() + milliseconds);
  const soon = (holds: () => void) => vi.waitFor(() => rest(50).then(holds), { ...PATIENCE, interval: 1 });
  return { ...watchedDesktops(count, clock, options), clock, rest, soon };
}

test('no picture is made before the first viewer and after the last', async () => {
  const { fabric, views, begin, click, rest, soon } = watched(2);
  await Promise.all([begin(0), begin(1)]);
  for (let x = 0; x < 20; x++) await click(0, 10 * x);
  await rest(600);
  expect(views).toEqual([]);
  await fabric.watched.set(WALL);
  await soon(() => expect(views).toHaveLength(2));
  await fabric.watched.set(NOT_WATCHED);
  await rest(50);
  await click(0, 7);
  await rest(600);
  expect(views).toHaveLength(2);
});

test('a new viewer gets small pictures of all desktops at once, with their tasks', async () => {
  const { fabric, views, begin, click, uses, ids, soon } = watched(3);
  await begin(0);
  const screen = await click(0, 40);
  uses.set(at(ids, 1), 'broken');
  await fabric.watched.set(WALL);
  await soon(() => expect(views).toHaveLength(3));
  const [first, broken, unused] = ids.map(id => views.find(({ desktop }) => desktop === id));
  const small = downscale(screen.pixels, 160);
  expect(decode(first?.picture ?? new Uint8Array())).toMatchObject({ width: small.width, data: small.data });
  expect(first).toMatchObject({
    ...{ desktop: 'd0', size: 'small', use: 'playing', screen: { width: 320, height: 240 } },
    doing: { steps: 1, action: { kind: 'click', at: { x: 40, y: 5 } } },
  });
  expect([broken, unused]).toMatchObject([{ use: 'broken' }, { use: 'playing' }]);
  expect(unused).not.toHaveProperty('picture');
});

test('viewers get the instruction that the desktop made', async () => {
  const instruction = 'Click on "Ok".';
  class Making extends PocketDesktop {
    override async reset(...args: Parameters<Desktop['reset']>): Promise<FirstScreen> {
      return { ...(await super.reset(...args)), instruction };
    }
  }
  const { fabric, views, begin, soon } = watched(1, { make: id => new Making(id) });
  await begin(0);
  await fabric.watched.set(WALL);
  await soon(() => expect(views).toMatchObject([{ doing: { instruction, steps: 0 } }]));
});

test('a watched desktop is sent whole after each step, ten times a second and hardly more', async () => {
  const { fabric, views, begin, click, ids, clock, rest, soon } = watched(2);
  await begin(0);
  const since = clock.now();
  await fabric.watched.set({ since: 1, wall: false, whole: [at(ids, 0)] });
  for (let x = 0; x < 60; x++) {
    await click(0, 5 * x);
    await rest(15);
  }
  const last = await click(0, 3);
  await soon(() => expect(views.at(-1)?.doing?.steps).toBe(61));
  const rounds = (clock.now() - since) / 80;
  expect(views.length).toBeGreaterThan(1);
  expect(views.length).toBeLessThanOrEqual(Math.floor(rounds) + 1);
  expect(new Set(views.map(({ desktop, size }) => `${desktop} ${size}`))).toEqual(new Set(['d0 whole']));
  const { width, height, data } = decode(views.at(-1)?.picture ?? new Uint8Array());
  const { pixels } = last;
  const colours = pixels.data.filter((_, index) => pixels.layout === 'rgb' || index % 4 !== 3);
  expect([width, height, Buffer.compare(data as Uint8Array, colours)]).toEqual([320, 240, 0]);
});

test('a wall is sent at most four times a second, also beside a whole picture', async () => {
  const { fabric, views, begin, click, ids, clock, rest, soon } = watched(1);
  await begin(0);
  const since = clock.now();
  await fabric.watched.set({ since: 1, wall: true, whole: [at(ids, 0)] });
  for (let x = 0; x < 60; x++) {
    await click(0, 5 * x);
    await rest(15);
  }
  await click(0, 3);
  const steps = (size: string) => views.findLast(view => view.size === size)?.doing?.steps;
  await soon(() => expect([steps('small'), steps('whole')]).toEqual([61, 61]));
  const small = views.filter(({ size }) => size === 'small').length;
  expect(small).toBeLessThanOrEqual(Math.floor((clock.now() - since) / 250) + 1);
});

test('a desktop that a person holds is sent as such', async () => {
  const { fabric, views, begin, uses, ids, soon } = watched(1);
  await begin(0);
  await fabric.watched.set(WALL);
  await soon(() => expect(views).toHaveLength(1));
  uses.set(at(ids, 0), 'held');
  await soon(() => expect(views.map(({ use }) => use)).toEqual(['playing', 'held']));
});

test('what a person does without an action of an agent is shown as well', async () => {
  class Changing extends PocketDesktop {
    look = () => this.act({ kind: 'wait' });
    clickAgain = (at: Point) => this.act({ kind: 'double_click', at });
  }
  const { fabric, views, begin, click, desktops, soon } = watched(1, { make: id => new Changing(id) });
  await begin(0);
  await click(0, 40);
  const { look, clickAgain } = at(desktops, 0);
  await look?.();
  await fabric.watched.set(WALL);
  await soon(() => expect(views).toMatchObject([{ doing: { steps: 1 } }]));
  await clickAgain?.({ x: 40, y: 5 }, 2);
  await soon(() => expect(views.at(-1)).toMatchObject({ doing: { steps: 2, action: { kind: 'click' } } }));
});

test('an unchanged desktop is sent once, and again when it goes idle', async () => {
  const { fabric, views, begin, uses, ids, rest, soon } = watched(1);
  await begin(0);
  await fabric.watched.set(WALL);
  await soon(() => expect(views).toHaveLength(1));
  await rest(600);
  expect(views).toHaveLength(1);
  uses.set(at(ids, 0), 'idle');
  await soon(() => expect(views.map(({ use }) => use)).toEqual(['playing', 'idle']));
  expect(views[1]?.picture).toEqual(views[0]?.picture);
});

test('a viewer after a break gets every desktop again', async () => {
  const { fabric, views, begin, soon } = watched(1);
  await begin(0);
  await fabric.watched.set(WALL);
  await soon(() => expect(views).toHaveLength(1));
  // Nobody looked in between, and that was too short to be heard of.
  await fabric.watched.set({ ...WALL, since: 2 });
  await soon(() => expect(views).toHaveLength(2));
});

test('a recorded desktop behaves like the plain one', async () => {
  const { desktops, begin, click } = watched(1);
  const shown = await begin(0);
  expect(at(desktops, 0).renderer).toBe(new PocketDesktop(at(desktops, 0).id).renderer);
  expect(shown.pixels).toMatchObject({ width: 320, height: 240 });
  expect((await click(0, 9)).elements?.length).toBeGreaterThan(0);
  expect(await at(desktops, 0).judge('finished')).toHaveProperty('score');
});
