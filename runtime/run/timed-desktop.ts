// Measures the processor time of a pocket desktop. Its calls are synchronous inside, so nothing else is counted; only a judgement awaits
// several calls.

import type { Desktop } from '../core/desktop.ts';
import type { ProcessorTime } from '../core/processor-time.ts';

export const timedDesktop = (desktop: Desktop, time: ProcessorTime): Desktop => ({
  id: desktop.id,
  ...(desktop.renderer !== undefined && { renderer: desktop.renderer }),
  reset: (task, seed) => time.within(() => desktop.reset(task, seed)),
  act: action => time.within(() => desktop.act(action)),
  query: getter => time.within(() => desktop.query(getter)),
  setup: step => time.within(() => desktop.setup(step)),
  judge: ending => time.during(() => desktop.judge(ending)),
  close: () => desktop.close(),
});
