// What `dartboard collect` was asked for: its options, read and checked.

import { parseArgs } from 'node:util';
import type { By, Wanted } from '../collect/players.ts';
import { COLLECT_DEFAULTS } from '../protocol/daemon/collection.ts';
import { countOf, minutesOf, temperatureOf, tiersOf } from './options.ts';

export interface CollectOptions {
  /** Undefined for what the weights were trained on, or for what a run here would train. */
  readonly wanted: Wanted | undefined;
  readonly by: By;
  /** Of each task, from its first on. */
  readonly instances: number;
  readonly minutes: number | undefined;
  /** What succeeds goes into the success pool at once. */
  readonly accepts: boolean;
}

const OF_WEIGHTS = ['from', 'rollouts', 'temperature'] as const;

export function collectOptions(args: string[]): CollectOptions {
  const { values } = parseArgs({
    args,
    options: {
      tier: { type: 'string' },
      tasks: { type: 'string' },
      from: { type: 'string' },
      oracle: { type: 'boolean', default: false },
      instances: { type: 'string', default: String(COLLECT_DEFAULTS.instances) },
      rollouts: { type: 'string' },
      temperature: { type: 'string' },
      minutes: { type: 'string' },
      accept: { type: 'boolean', default: false },
    },
  });
  const { tier, tasks, from, oracle, minutes } = values;
  const { rollouts = String(COLLECT_DEFAULTS.rollouts), temperature = String(COLLECT_DEFAULTS.temperature) } =
    values;
  if (tier !== undefined && tasks !== undefined)
    throw new RangeError('--tier and --tasks both say which tasks: give one of them.');
  const idle = OF_WEIGHTS.find(option => oracle && values[option] !== undefined);
  if (idle !== undefined)
    throw new RangeError(
      `--${idle} has no effect beside --oracle, which plays scripted solutions: leave one out.`,
    );
  return {
    wanted:
      tier !== undefined
        ? { tiers: tiersOf(tier) }
        : tasks !== undefined
          ? { tasks: namesIn(tasks) }
          : undefined,
    by: oracle
      ? { kind: 'script' }
      : {
          kind: 'weights',
          ...(from !== undefined && { from }),
          rollouts: countOf('rollouts', rollouts, 1, 1000),
          temperature: temperatureOf(temperature),
        },
    instances: countOf('instances', values.instances, 1, 32),
    minutes: minutes === undefined ? undefined : minutesOf(minutes),
    accepts: oracle || values.accept,
  };
}

function namesIn(text: string): readonly string[] {
  const names = [...new Set(text.split(',').map(name => name.trim()))].filter(name => name !== '');
  if (names.length > 0) return names;
  throw new RangeError(`--tasks takes the ids of tasks, as a,b; '${text}' has none.`);
}
