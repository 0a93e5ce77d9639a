import type { ProcessorTime } from '../core/processor-time.ts';
import type { Session } from './session.ts';

/** Wraps a session: `time` measures the processor time of its runs, including tensor copies. */
export const timedSession = (session: Session, time: ProcessorTime): Session => ({
  run: feeds => time.during(() => session.run(feeds)),
  read: names => session.read(names),
  write: state => session.write(state),
  close: () => session.close(),
});
