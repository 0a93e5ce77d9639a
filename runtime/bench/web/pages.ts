// The clicked pages of our side: a desktop, whose steps list the elements, and the layer below it without them.

import { systemClock } from '../../core/system-clock.ts';
import { readEpisode } from '../../environments/web/miniwob/episode.ts';
import { miniwobStartOf, startMiniwob } from '../../environments/web/miniwob-task.ts';
import { pageInputs } from '../../environments/web/page/input.ts';
import type { TaskPage } from '../../environments/web/task-page.ts';
import { WebWindow } from '../../environments/web/window.ts';
import type { ClickedPage } from './random-clicks.ts';
import { SIZE, type WebYard } from './yard.ts';

/** The step of a training: click, settle, elements, screenshot, and whether the page is over. */
export function desktopPage(yard: WebYard, page: string): ClickedPage {
  const desktop = yard.open();
  return {
    restart: async index => {
      const { task, number } = yard.task(page, index);
      await desktop.reset(task, number);
    },
    click: async at => (await desktop.act({ kind: 'click', at })).isOver === true,
    close: () => desktop.close(),
  };
}

/** The same step without the elements. A desktop lists them always, so this uses the window and page of a desktop. */
export async function pixelPage({ browsers, folder, task }: WebYard, page: string): Promise<ClickedPage> {
  const window = await WebWindow.open({ browsers, size: SIZE, clock: systemClock, uploads: new Map() });
  const taskPage: TaskPage = {
    ...{ context: window.context, page: () => window.page, uploads: new Map(), folder: '' },
    stopClock: options => window.stopClock(options),
    ...{ allow: [], miniwob: folder, files: undefined, origins: new Set<string>(), rules: {} },
  };
  return {
    restart: async index => {
      const start = miniwobStartOf(task(page, index).task);
      if (start === undefined) throw new Error(`The task of ${page} does not start a page of MiniWoB++.`);
      await startMiniwob(taskPage, start);
      await window.page.settle([]);
      await window.page.pixels();
    },
    click: async at => {
      await window.page.settle(pageInputs({ kind: 'click', at }, SIZE));
      await window.page.pixels();
      return (await readEpisode(expression => window.page.evaluate(expression), page)).isOver;
    },
    close: () => window.close(),
  };
}
