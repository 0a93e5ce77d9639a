// A training as benchmarks run it: through the same runs as the program's, in a folder that is theirs.

import { cpus } from 'node:os';
import type { Config } from '../config/config.ts';
import { ofThisProcess } from '../core/processor-time.ts';
import { systemClock } from '../core/system-clock.ts';
import type { RunState } from '../protocol/daemon/state.ts';
import type { StartOptions } from '../server/runs.ts';
import { WorkspaceRuns } from '../server/workspace-runs.ts';
import { type ProcessorSample, type Shares, sampleOf, sharesOf } from './processor.ts';
import type { Report } from './report.ts';

/** Of a process of the program: bundles lie beside this one. */
export const entry = (name: string): URL => new URL(`./${name}.js`, import.meta.url);

/** How it ended; rejects where it failed. `watch` hears of every state. */
export async function trainingIn(
  root: string,
  config: Config,
  report: Report,
  watch: (state: RunState) => void = () => undefined,
  begins: StartOptions = {},
): Promise<RunState> {
  const entries = {
    ...{ host: entry('host'), worker: entry('worker'), trainer: entry('trainer') },
    ...{ index: entry('index'), frames: entry('frames') },
  };
  const notice = (text: string) => report.say(`    ${text}`);
  const runs = await WorkspaceRuns.open({ root, entries, clock: systemClock, notice });
  try {
    let told = 0;
    runs.watch(state => {
      const tested = state.curve.filter(({ split }) => split === 'test');
      for (const { seconds, rate, trials } of tested.slice(told))
        report.say(`    ${seconds.toFixed(0).padStart(4)} s  ${percent(rate)} of ${trials}`);
      told = tested.length;
      watch(state);
    });
    const state = await runs.ended(await runs.start(config, begins));
    if (state?.status === 'ended') return state;
    throw new Error(`The run failed: ${state?.message ?? 'it does not say why'}`);
  } finally {
    await runs.close();
  }
}

/** Listens to the states of a training, once it has trained for a while, for what the cores did. */
export class CoresWatch {
  readonly #fromSecond: number;
  readonly #samples: ProcessorSample[] = [];

  constructor(fromSecond: number) {
    this.#fromSecond = fromSecond;
  }

  readonly look = (state: RunState): void => {
    const at = performance.now() / 1000;
    if (state.status !== 'running' || state.seconds < this.#fromSecond) return;
    if (at - (this.#samples.at(-1)?.at ?? Number.NEGATIVE_INFINITY) < 1) return;
    const sample = sampleOf(state, at, ofThisProcess());
    if (sample !== undefined) this.#samples.push(sample);
  };

  /** Undefined where it was too short. */
  get shares(): Shares | undefined {
    return sharesOf(this.#samples, cpus().length);
  }
}

/** The cores are watched behind this share of a training's time: what is shown and explored first does not go on. */
export const SETTLED = 0.2;

export const percent = (rate: number): string => `${(100 * rate).toFixed(1)} %`;
