// Desktops for the tests of the OpenEnv server: pocket desktops in a real pool, some of which break or wait.

import type { Action } from '../../runtime/core/action.ts';
import type { Clock } from '../../runtime/core/clock.ts';
import type { Desktop } from '../../runtime/core/desktop.ts';
import { BoundaryError } from '../../runtime/core/failure.ts';
import { desktopId, type Seed } from '../../runtime/core/ids.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { PocketDesktop } from '../../runtime/environments/pocket/desktop.ts';
import { POCKET, solutionOf } from '../../runtime/environments/pocket/tasks/suite.ts';
import { DesktopPool } from '../../runtime/environments/pool.ts';
import type { ObservationMode } from '../../runtime/openenv/observation.ts';
import { unavailable } from '../../runtime/openenv/serve-desktops.ts';
import type { SessionsOptions } from '../../runtime/openenv/sessions.ts';

export interface TestDesktopsOptions {
  readonly size?: number;
  readonly clock?: Clock;
  readonly observation?: ObservationMode;
  /** Called before each action; its rejection breaks the desktop. */
  readonly before?: (action: Action, desktop: string) => Promise<void>;
  /** Rejects the creation of a desktop. */
  readonly start?: (index: number) => Promise<void>;
  readonly maxEpisodes?: number;
}

/** The options of sessions, and the pool below them. */
export function testDesktops({
  size = 1,
  clock = new VirtualClock(),
  observation = 'text',
  before = async () => undefined,
  start = async () => undefined,
  maxEpisodes = 1000,
}: TestDesktopsOptions = {}): { readonly options: SessionsOptions; readonly pool: DesktopPool } {
  let [made, ids, problem]: [number, number, string | undefined] = [0, 0, undefined];
  const pool = new DesktopPool({
    ...{ size, clock, maxEpisodes, maxAgeMs: Number.POSITIVE_INFINITY },
    make: async index => {
      await start(index);
      return checked(new PocketDesktop(desktopId(`pocket-${made++}`)), before);
    },
    health: (thing, healthy, message) => {
      problem = healthy ? undefined : `${thing}: ${message}`;
    },
  });
  const options = {
    ...{ suite: POCKET, observation, clock, max: size },
    desktops: {
      lease: (signal?: AbortSignal) => pool.lease(signal),
      unavailable: () => unavailable(pool, problem),
    },
    drawSeed: () => 7,
    newId: () => `episode-${ids++}`,
  };
  return { options, pool };
}

const checked = (desktop: PocketDesktop, before: NonNullable<TestDesktopsOptions['before']>): Desktop => ({
  id: desktop.id,
  renderer: desktop.renderer,
  reset: (task, seed) => desktop.reset(task, seed),
  act: async action => {
    await before(action, desktop.id);
    return desktop.act(action);
  },
  query: getter => desktop.query(getter),
  setup: step => desktop.setup(step),
  judge: ending => desktop.judge(ending),
  close: () => desktop.close(),
});

export const breakage = (thing: string) =>
  new BoundaryError({ boundary: 'environment', thing, message: 'its screen went away' });

/** The scripted solution of an instance, with its last action. */
export function solutionActions(task: string, seed: Seed): readonly Action[] {
  const { actions, ending } = solutionOf(POCKET, POCKET.task(task, seed), seed);
  return [...actions, ending === 'fail' ? { kind: 'fail', why: '' } : { kind: 'finished', answer: '' }];
}
