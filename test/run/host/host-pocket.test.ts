// The pocket desktop as a host measures it.

import { expect, test } from 'vitest';
import { crc32 } from '../../../runtime/core/crc.ts';
import { desktopId } from '../../../runtime/core/ids.ts';
import { ProcessorTime } from '../../../runtime/core/processor-time.ts';
import type { Screen } from '../../../runtime/core/screen.ts';
import { PocketDesktop } from '../../../runtime/environments/pocket/desktop.ts';
import { POCKET } from '../../../runtime/environments/pocket/tasks/suite.ts';
import { timedDesktop } from '../../../runtime/run/host/host-pocket.ts';

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
