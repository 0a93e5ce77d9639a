// Runs seeds, and describes the first that breaks a law, with the command that runs it again.

import { type Simulated, simulate } from './simulation.ts';

/** The environment variable that names one seed. */
export const SEED_VARIABLE = 'SIMULATION_SEED';
const LAST_EVENTS = 60;

/** The environment variable with the number of runs in each of the two files of seeds. */
const RUNS_VARIABLE = 'SIMULATION_RUNS';
export const RUNS = Math.max(1, Number(process.env[RUNS_VARIABLE] ?? 400));

/** Throws for the first seed that breaks a law. */
export async function keepLaws(seeds: Iterable<number>): Promise<readonly Simulated[]> {
  const all: Simulated[] = [];
  for (const seed of seeds) {
    const simulated = await simulate(seed);
    if (simulated.broken.length > 0) throw new Error(describeBroken(simulated));
    all.push({ ...simulated, log: [] });
  }
  return all;
}

/** The events end with the first law that broke: a run stops there. */
export function describeBroken({ seed, broken, log }: Simulated): string {
  const first = log.findIndex(event => event.includes('BROKEN'));
  const events = log.slice(0, first < 0 ? log.length : first + 1);
  return [
    `Seed ${seed} breaks ${broken.length} laws: ${broken[0]}`,
    `The last ${Math.min(LAST_EVENTS, events.length)} of ${events.length} events, with milliseconds since the start:`,
    ...events.slice(-LAST_EVENTS),
    'All events of this seed:',
    `  ${SEED_VARIABLE}=${seed} npx vitest run --config vitest.config.ts test/simulation/simulation.test.ts`,
  ].join('\n');
}
