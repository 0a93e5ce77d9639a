// Memory of a browser with many pages, how soon a page is ready for another episode, and what another page costs.

import { memoryByProcess, THIS_PROCESS } from '../memory.ts';
import { processorTime, since, totalTime } from '../processor-time.ts';
import { type Figures, median } from '../report.ts';
import { pageOf } from './random-clicks.ts';
import type { WebYard } from './yard.ts';

const PAGES = 24;
const RESETS = 40;
const NEW_CONTEXTS = 12;
/** Above the instruction of no page. */
const ANYWHERE = { x: 80, y: 130 };

/** The proportional set size of the browser's processes, with all pages open and used. */
export async function measureMemory(yard: WebYard): Promise<Figures> {
  const desktops = Array.from({ length: PAGES }, () => yard.open());
  await Promise.all(
    desktops.map(async (desktop, index) => {
      const { task, number } = yard.task(pageOf(index), index);
      await desktop.reset(task, number);
      await desktop.act({ kind: 'click', at: ANYWHERE });
    }),
  );
  const { [THIS_PROCESS]: own = 0, ...browser } = await memoryByProcess(process.pid);
  await Promise.all(desktops.map(desktop => desktop.close()));
  return {
    [`memory_mb_${PAGES}`]: Object.values(browser).reduce((sum, each) => sum + each, 0),
    node_memory_mb: own,
  };
}

export async function measureReady(yard: WebYard): Promise<Figures> {
  const timed = async (work: () => Promise<unknown>) => {
    const from = performance.now();
    await work();
    return performance.now() - from;
  };
  const desktop = yard.open();
  const start = (page: number, number: number) => {
    const given = yard.task(pageOf(page), number);
    return desktop.reset(given.task, given.number);
  };
  const [again, other, anew]: [number[], number[], number[]] = [[], [], []];
  for (let page = 0; page < RESETS; page++) {
    const took = await timed(() => start(page, 2 * page));
    // The first one opens the context.
    if (page > 0) other.push(took);
    await desktop.act({ kind: 'click', at: ANYWHERE });
    // The first start in place also reads the page again.
    await start(page, 2 * page + 1);
    await desktop.act({ kind: 'click', at: ANYWHERE });
    again.push(await timed(() => start(page, 2 * page + 2)));
  }
  const before = await processorTime(process.pid);
  for (let page = 0; page < RESETS; page++) await start(page, page);
  const processor = since(before, await processorTime(process.pid));
  await desktop.close();
  for (let index = 0; index < NEW_CONTEXTS; index++) {
    const fresh = yard.open();
    const { task, number } = yard.task(pageOf(index), index);
    anew.push(await timed(() => fresh.reset(task, number)));
    await fresh.close();
  }
  return {
    ready_ms_p50: median(again),
    ready_other_page_ms_p50: median(other),
    other_page_processor_ms: (1000 * totalTime(processor)) / RESETS,
    ready_new_context_ms_p50: median(anew),
  };
}
