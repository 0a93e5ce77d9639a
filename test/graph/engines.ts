// Engine processes for tests, from the bundle that `npm test` builds first.

import { onTestFinished } from 'vitest';
import { type Engine, type EngineOptions, startEngine } from '../../runtime/engine/engine.ts';

const ENTRY = new URL('../../dist/engine.js', import.meta.url);

export const engineOf = (runtime: NonNullable<EngineOptions['runtime']>): Promise<Engine> =>
  startEngine({ entry: ENTRY, runtime });

/** An engine that ends with the test. */
export async function engineFor(runtime: NonNullable<EngineOptions['runtime']>): Promise<Engine> {
  const engine = await engineOf(runtime);
  onTestFinished(() => engine.close());
  return engine;
}
