// What the cores of a machine did while a run trained, told from what its processes say of their processor time. Useful is what ONNX
// Runtime computes, and what desktops do: acting, drawing, judging, turning screens into observations, exploring and looking back on
// what failed, which act on desktops all the time. All of it is processor time, which waiting for a core does not lengthen. Pure.

import type { RunState } from '../protocol/daemon/state.ts';
import type { ProcessorFigure } from '../run/processor-figures.ts';

/** Seconds of the processor, each since its process began. */
type Times = Readonly<Record<ProcessorFigure | 'daemon', number>>;

export interface ProcessorSample extends Times {
  /** On a clock, in seconds. */
  readonly at: number;
}

/** Undefined as long as not all of them have told. `daemon`: what this process has taken, with its threads. */
export function sampleOf(
  { trainer: { metrics } }: Pick<RunState, 'trainer'>,
  at: number,
  daemon: number,
): ProcessorSample | undefined {
  const of = (name: keyof Times): number => metrics[`processor/${name}`] ?? Number.NaN;
  const sample = {
    ...{ desktops: of('desktops'), deciding: of('deciding'), training: of('training') },
    ...{ host: of('host'), workers: of('workers'), trainer: of('trainer'), daemon, at },
  };
  return Object.values(sample).some(Number.isNaN) ? undefined : sample;
}

/** Of the time of all cores; all but `useful` add up to 1, where nobody else is at work. */
export interface Shares {
  readonly useful: number;
  readonly desktops: number;
  readonly deciding: number;
  readonly training: number;
  readonly hostRest: number;
  readonly workersRest: number;
  readonly trainerRest: number;
  readonly daemon: number;
  /** Idle, or at work for other programs. */
  readonly idle: number;
}

/** Between the first and the last sample. A process that was started again began anew with 0. */
export function sharesOf(samples: readonly ProcessorSample[], cores: number): Shares | undefined {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined || last.at <= first.at) return undefined;
  const whole = cores * (last.at - first.at);
  const share = (name: keyof Times): number =>
    samples.reduce((sum, sample, index) => {
      const [now, before] = [sample[name], samples[index - 1]?.[name] ?? sample[name]];
      return sum + (now >= before ? now - before : now);
    }, 0) / whole;
  const [desktops, deciding, training] = [share('desktops'), share('deciding'), share('training')];
  const [host, workers, trainer] = [share('host'), share('workers'), share('trainer')];
  const daemon = share('daemon');
  return {
    useful: desktops + deciding + training,
    ...{ desktops, deciding, training },
    hostRest: host - desktops,
    workersRest: workers - deciding,
    trainerRest: trainer - training,
    daemon,
    idle: 1 - host - workers - trainer - daemon,
  };
}
