// The hour benchmark: memory and use of the cores during a long training on all tiers, with demonstrations.

import { type Config, parseConfig } from '../config/config.ts';
import type { Phrasings } from '../environments/pocket/tasks/phrasing.ts';
import type { Tier } from '../environments/suite.ts';
import { growthPerHour, type MemorySample, memoryTotal, THIS_PROCESS, withMemory } from './memory.ts';
import type { Benchmark, Report } from './report.ts';
import type { BenchSeries } from './results/outcome.ts';
import { type CoreShares, STEADY_FROM, train, watchCores, withTrainingFolder } from './training.ts';

const MINUTES = 60;
const TIERS: readonly Tier[] = [1, 2, 3, 4];
const DEMONSTRATIONS = 5;
/** Reading the memory every 2 s would take a hundredth of two cores from what is measured. */
const MEMORY_INTERVAL_MS = 15_000;
const MAX_CURVE_POINTS = 240;

export const hour: Benchmark = {
  name: 'hour',
  summary: 'memory and use of the cores during an hour of training on all tiers',
  run: async (report, { minutes = MINUTES }) => {
    const { shares, samples, trainedSeconds } = await report.part(`${minutes} minutes of all tiers`, 1, () =>
      trainFor(minutes, report),
    );
    const training = samples.filter(({ seconds }) => seconds <= trainedSeconds);
    return {
      figures: {
        ...(samples.length > 0 && {
          peak_mb: Math.max(...samples.map(memoryTotal)),
          growth_mb_last_half: growthPerHour(training.slice(Math.floor(training.length / 2))),
        }),
        useful_share: shares.useful,
        useful_of_used: shares.useful / (1 - shares.idle),
        desktops_share: shares.desktops,
        deciding_share: shares.deciding,
        training_share: shares.training,
        host_rest_share: shares.hostRest,
        workers_rest_share: shares.workersRest,
        trainer_rest_share: shares.trainerRest,
        daemon_share: shares.daemon,
        idle_share: shares.idle,
      },
      config: { minutes, tiers: TIERS, demonstrations: DEMONSTRATIONS, processor_from: STEADY_FROM },
      series: { ...memorySeries(training), ...processorSeries(shares) },
    };
  },
};

export const hourConfig = (minutes: number, phrasings: Phrasings = 'fixed'): Config =>
  parseConfig({
    ...{ suite: { tiers: TIERS, phrasings }, seed: 'hour', minutes, demonstrations: DEMONSTRATIONS },
    evaluation: { everySeconds: Math.max(30, 6 * minutes) },
  });

/** Memory counts until `trainedSeconds`; the last evaluation is not training. */
const trainFor = (minutes: number, report: Report) =>
  withTrainingFolder(report, async root => {
    const config = hourConfig(minutes);
    const cores = watchCores(minutes);
    const from = performance.now();
    let trainedSeconds = 0;
    const { samples } = await withMemory(
      () =>
        train(root, config, report, {
          watch: state => {
            cores.look(state);
            if (state.status === 'running') trainedSeconds = (performance.now() - from) / 1000;
          },
        }),
      MEMORY_INTERVAL_MS,
    );
    const shares = cores.shares();
    if (shares === undefined)
      throw new Error('The run ended before its processes reported. Increase --minutes.');
    return { shares, samples, trainedSeconds };
  });

/** All processes together first, then by process. */
function memorySeries(samples: readonly MemorySample[]): BenchSeries {
  const interval = Math.ceil(samples.length / MAX_CURVE_POINTS);
  const drawn = samples.filter((_, index) => index % interval === 0);
  const curve = (of: (sample: MemorySample) => number) =>
    drawn.map(sample => ({ x: Math.round(sample.seconds), y: Math.round(of(sample)) }));
  const names = [...new Set(drawn.flatMap(({ megabytes }) => Object.keys(megabytes)))].sort();
  const byName = names.map(name => {
    const label = name === THIS_PROCESS ? 'daemon' : name;
    // A process that did not run at that moment had no memory.
    return [`memory/${label}`, curve(({ megabytes }) => megabytes[name] ?? 0)] as const;
  });
  return { 'memory/all together': curve(memoryTotal), ...Object.fromEntries(byName) };
}

const processorSeries = (shares: CoreShares): BenchSeries => ({
  'processor/share': [
    { x: 'training (useful)', y: shares.training },
    { x: 'decisions (useful)', y: shares.deciding },
    { x: 'desktops (useful)', y: shares.desktops },
    { x: 'rest of the trainer', y: shares.trainerRest },
    { x: 'rest of policy workers', y: shares.workersRest },
    { x: 'rest of the host', y: shares.hostRest },
    { x: 'daemon and index', y: shares.daemon },
    { x: 'idle, or other programs', y: shares.idle },
  ],
});
