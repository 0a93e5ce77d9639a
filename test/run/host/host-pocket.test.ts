// The pocket desktop as a host measures it.

import { expect, test } from 'vitest';
import { parseConfig } from '../../../runtime/config/config.ts';
import { crc32 } from '../../../runtime/core/crc.ts';
import type { Event } from '../../../runtime/core/event.ts';
import { desktopId, taskId } from '../../../runtime/core/ids.ts';
import { ProcessorTime } from '../../../runtime/core/processor-time.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import type { Screen } from '../../../runtime/core/screen.ts';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import { PocketDesktop } from '../../../runtime/environments/pocket/desktop.ts';
import { templateFromFile } from '../../../runtime/environments/pocket/tasks/from-folder.ts';
import { POCKET, type PocketSuite, suiteOf } from '../../../runtime/environments/pocket/tasks/suite.ts';
import { embeddedFabric } from '../../../runtime/fabric/embedded-fabric.ts';
import type { Fabric } from '../../../runtime/fabric/fabric.ts';
import { pocketKind, timedDesktop } from '../../../runtime/run/host/host-pocket.ts';
import { EXAMPLE } from '../../environments/pocket/tasks/guide.ts';

test('a timed desktop returns the same screens and verdicts, and counts each call', async () => {
  let now = 0;
  const time = new ProcessorTime({ clock: () => now++, processor: () => now });
  const plain = new PocketDesktop(desktopId('plain'));
  const timed = timedDesktop(new PocketDesktop(desktopId('timed')), time);
  const id = POCKET.tasks('train', 1)[0];
  if (id === undefined) throw new RangeError('There is no task.');
  const seed = POCKET.seed('train', 0);
  const task = POCKET.task(id, seed);
  expect(timed.renderer).toBe(plain.renderer);
  const shown = ({ pixels, elements }: Screen) => [crc32(pixels.data), elements];
  expect(shown(await timed.reset(task, seed))).toEqual(shown(await plain.reset(task, seed)));
  const click = { kind: 'click', at: { x: 5, y: 5 } } as const;
  expect(shown(await timed.act(click))).toEqual(shown(await plain.act(click)));
  expect(await timed.judge('finished')).toEqual(await plain.judge('finished'));
  expect(time.seconds).toBe(3);
});

function teaching(suite: PocketSuite, put: Fabric['lessons']['put'] = async () => undefined) {
  const events: Event[] = [];
  const clock = new VirtualClock();
  const pool = { lease: async () => Promise.reject(new Error('no desktop is needed')) };
  const teacher = pocketKind(suite).teacher({
    ...{ config: parseConfig({}), tasks: suite.tasks('train'), lender: pool, size: 1 },
    ...{ rateOf: () => undefined, clock, random: seeded('pocket') },
    time: new ProcessorTime({ clock: () => 0, processor: () => 0 }),
    fabric: {
      lessons: { ...embeddedFabric().lessons, put },
      events: { ...embeddedFabric().events, publish: each => events.push(each) },
    },
  });
  return { teacher, events, clock };
}

test('a scripted solution that fails on one instance is reported, and the host goes on', async () => {
  const solution = [['click', 'menuitem', 'not there']];
  const file = JSON.parse(EXAMPLE);
  const template = templateFromFile({ ...file, dartboard: { ...file.dartboard, solution } }, 'mine.json');
  const suite = suiteOf([template]);
  const { teacher, events } = teaching(suite);
  const instance = { task: taskId(template.id), seed: suite.seed('train', 2) };
  expect(await teacher.demonstrate(instance, new AbortController().signal)).toBeUndefined();
  expect(events).toMatchObject([
    { kind: 'health', healthy: false, message: expect.stringContaining("'not there'") },
  ]);
});

test('an instance that cannot be played is reported once, and the others are explored', async () => {
  const all = suiteOf([templateFromFile(JSON.parse(EXAMPLE), 'mine.json')]);
  const broken = all.seed('train', 1);
  let failures = 0;
  const suite: PocketSuite = {
    ...all,
    task: (id, seed) => {
      if (seed !== broken) return all.task(id, seed);
      failures += 1;
      throw new Error("There is no application 'Nots'.");
    },
  };
  const { teacher, events } = teaching(suite);
  const { discovery } = teacher;
  while (failures < 3) await discovery?.exploreOnce();
  expect(discovery?.steps).toBeGreaterThan(0);
  expect(events).toMatchObject([
    { thing: 'discovery', healthy: false, message: expect.stringContaining("'Nots'") },
  ]);
});

test('exploring pauses while many lessons cannot be sent', async () => {
  const sent: (() => void)[] = [];
  const { teacher, clock } = teaching(POCKET, () => new Promise(resolve => sent.push(resolve)));
  const { discovery } = teacher;
  /** One call, whether it explores or pauses. */
  const exploreOnce = async (): Promise<void> => {
    const exploring = discovery?.exploreOnce();
    await clock.run();
    await exploring;
  };
  while (sent.length <= 256) await discovery?.exploreOnce();
  const [lessons, steps] = [sent.length, discovery?.steps];
  for (let call = 0; call < 50; call++) await exploreOnce();
  expect([sent.length, discovery?.steps]).toEqual([lessons, steps]);
  for (const resolve of sent) resolve();
  await clock.run();
  await exploreOnce();
  expect(discovery?.steps).toBeGreaterThan(steps ?? 0);
});
