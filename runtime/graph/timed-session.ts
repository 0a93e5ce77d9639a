// Measures the processor time of a session.

import type { ProcessorTime } from '../core/processor-time.ts';
import type { Session } from './session.ts';

/** The same session; `time` counts its runs, with the tensors that they copy. */
export const timedSession = (session: Session, time: ProcessorTime): Session => ({
  run: feeds => time.during(() => session.run(feeds)),
  read: names => session.read(names),
  write: state => session.write(state),
  close: () => session.close(),
});
