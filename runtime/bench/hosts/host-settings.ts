// The settings of a host in the benchmark. Its processes inherit them in an environment variable.

import { SERVICE_MS, type ServiceTime } from './slow-desktop.ts';

export interface BenchHostSettings {
  readonly serviceMs: ServiceTime;
  /** The folder for its records (host-notes.ts); without it, nothing is recorded. */
  readonly notes?: string;
  /** The file that moves its clock (moved-clock.ts). */
  readonly clock?: string;
}

const VARIABLE = 'DARTBOARD_BENCH_HOST';

export const asEnvironment = (settings: BenchHostSettings): Readonly<Record<string, string>> => ({
  [VARIABLE]: JSON.stringify(settings),
});

/** Child processes that start during the work inherit them. */
export async function withSettings<T>(settings: BenchHostSettings, work: () => Promise<T>): Promise<T> {
  Object.assign(process.env, asEnvironment(settings));
  try {
    return await work();
  } finally {
    delete process.env[VARIABLE];
  }
}

export function settingsHere(environment: Readonly<Record<string, string | undefined>>): BenchHostSettings {
  const text = environment[VARIABLE];
  // One build writes and reads it.
  return text === undefined ? { serviceMs: SERVICE_MS } : JSON.parse(text);
}
