// Real desktops behind a display, over a fabric in memory: what a host has, without anybody who plays on them by himself.

import { onTestFinished } from 'vitest';
import type { Clock } from '../../../runtime/core/clock.ts';
import type { Desktop } from '../../../runtime/core/desktop.ts';
import { type DesktopId, desktopId } from '../../../runtime/core/ids.ts';
import type { View } from '../../../runtime/core/view.ts';
import { PocketDesktop } from '../../../runtime/environments/pocket/desktop.ts';
import { POCKET } from '../../../runtime/environments/pocket/tasks/suite.ts';
import type { DesktopUse } from '../../../runtime/environments/pool.ts';
import type { Suite } from '../../../runtime/environments/suite.ts';
import { embeddedFabric } from '../../../runtime/fabric/embedded-fabric.ts';
import { Display } from '../../../runtime/run/host/display.ts';

interface WatchedOptions {
  readonly make?: (id: DesktopId) => Desktop;
  readonly suite?: Suite;
}

export function watchedDesktops(
  count: number,
  clock: Clock,
  { make = id => new PocketDesktop(id), suite = POCKET }: WatchedOptions = {},
) {
  const tasks = suite.tasks('train', 1);
  const fabric = embeddedFabric();
  const ids = Array.from({ length: count }, (_, index) => desktopId(`d${index}`));
  const uses = new Map<DesktopId, DesktopUse | 'held'>(ids.map(id => [id, 'stepping']));
  const display = new Display({
    ...{ watched: fabric.watched, views: fabric.views, clock },
    desktops: () => ids.map(id => ({ id, use: uses.get(id) ?? 'idle' })),
  });
  const desktops = ids.map(id => display.recorded(make(id)));
  const stop = new AbortController();
  const running = display.run(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await running;
    await fabric.close();
  });
  const views: View[] = [];
  const listen = async () => {
    for await (const { event } of fabric.views.listen({ signal: stop.signal })) views.push(event);
  };
  void listen();
  /** Begins another task on one of them, and gives the screen. */
  const begin = (index: number) => {
    const seed = suite.seed('train', index);
    const task = suite.task(tasks[index % tasks.length] ?? '', seed);
    return at(desktops, index).reset(task, seed);
  };
  const click = (index: number, x: number) => at(desktops, index).act({ kind: 'click', at: { x, y: 5 } });
  return { fabric, desktops, ids, uses, views, begin, click };
}

export function at<T>(list: readonly T[], index: number): T {
  const found = list.at(index);
  if (found === undefined) throw new RangeError(`There is no number ${index} of ${list.length}.`);
  return found;
}
