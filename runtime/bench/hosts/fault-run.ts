// Injects the planned faults into a cluster that trains. Measures how long training stands still after each, and what the faults cost.

import { systemClock } from '../../core/system-clock.ts';
import type { Figures } from '../report.ts';
import { misattributedSteps } from './attribution.ts';
import type { BenchCluster } from './cluster.ts';
import { accountOfEpisodes, type EpisodeAccount, openOrders } from './episodes.ts';
import { isOfBroker, type PlannedFault } from './faults.ts';
import { type ActionAccount, accountOfActions, performedEpisodes } from './performed-actions.ts';
import { CLOCK_AHEAD_MS, isVisible, type WatchedFault } from './visible.ts';

interface FaultRunOutcome {
  readonly episodes: EpisodeAccount;
  readonly actions: ActionAccount;
  /** Steps, and those whose version does not name the weights that chose them. */
  readonly steps: number;
  readonly misattributed: number;
  /** Seconds from each fault until training goes on: any host has stored an episode, and new weights are published. */
  readonly failovers: readonly number[];
  /** Faults that the state of the run showed. */
  readonly visible: number;
  /** Joined hosts that play on at the end, and those whose process ended by itself. */
  readonly playing: number;
  readonly ended: number;
  /** Stored trajectories whose file cannot be read. */
  readonly unreadable: number;
}

/** A lease ends after 30 s, then another host plays the episode. */
const SETTLE_TIMEOUT_MS = 120_000;
/** A run that stands still for so long is not waited for. */
const FAILOVER_TIMEOUT_MS = 120_000;
/** A host that has started again joins within seconds. */
const PLAYING_TIMEOUT_MS = 60_000;
/** The panel may show a fault when it is over. */
const SHOWN_WITHIN_MS = 15_000;
const POLL_MS = 50;
const SHOWN_POLL_MS = 250;

export async function runFaults(
  cluster: BenchCluster,
  plan: readonly PlannedFault[],
  say: (text: string) => void,
): Promise<FaultRunOutcome> {
  const { run } = cluster;
  const failovers: number[] = [];
  const over: Promise<boolean>[] = [];
  // From the first update on.
  await untilTrained(cluster);
  const startedAt = performance.now();
  for (const fault of plan) {
    await systemClock.sleep(Math.max(0, startedAt + fault.atMs - performance.now()));
    await cluster.reviveAll();
    const { kind, host } = fault;
    const hit = host === undefined ? undefined : await untilPlaying(cluster, host);
    const injectedAt = performance.now();
    const watched: WatchedFault = { kind, sinceMs: systemClock.now(), host: hit };
    const healed = injected(cluster, fault);
    const shown = isShown(cluster, watched, healed);
    over.push(shown);
    // Reported at the end.
    shown.catch(() => undefined);
    // A write that is under way still finishes; that is no proof.
    if (isOfBroker(kind)) await healed;
    await untilTrained(cluster);
    const seconds = (performance.now() - injectedAt) / 1000;
    failovers.push(seconds);
    say(`    ${failovers.length}: ${kind} ${hit ?? ''} trains again after ${seconds.toFixed(1)} s`);
    void shown.then(isSeen => isSeen || say(`    ${kind} ${hit ?? ''} was not shown`)).catch(() => undefined);
  }
  const visible = (await Promise.all(over)).filter(Boolean).length;
  const { ordered, stored, batches } = run.records;
  const begun = [...ordered];
  const end = performance.now() + SETTLE_TIMEOUT_MS;
  for (; openOrders(begun, stored).length > 0 && performance.now() < end; await systemClock.sleep(POLL_MS))
    run.requireTraining();
  const episodes = accountOfEpisodes({ ordered: begun, stored: [...stored], batches: [...batches] });
  const playing = await cluster.havePlayed(cluster.hosts, cluster.steps);
  let unreadable = 0;
  for (const { trajectory } of [...stored]) if (!(await run.isReadable(trajectory))) unreadable += 1;
  return {
    ...{ episodes, ...(await accounts(cluster)), failovers, visible },
    ...{ playing, ended: cluster.endedByThemselves, unreadable },
  };
}

/** Everything that was stored was noted before. */
async function accounts(
  cluster: BenchCluster,
): Promise<Pick<FaultRunOutcome, 'actions' | 'steps' | 'misattributed'>> {
  const { acted, versions, published } = cluster.run.records;
  const [episodes, chosen] = [[...acted.values()], [...versions]];
  const notes = await cluster.notes();
  return {
    actions: accountOfActions(episodes, notes.flatMap(performedEpisodes)),
    steps: chosen.length,
    misattributed: misattributedSteps(chosen, published, notes.flat()),
  };
}

/** Its name in the run. A fault of a host that is still down proves nothing. */
async function untilPlaying(cluster: BenchCluster, host: number): Promise<string> {
  const end = performance.now() + PLAYING_TIMEOUT_MS;
  for (;;) {
    cluster.run.requireTraining();
    const name = cluster.playingAs(host);
    if (name !== undefined) return name;
    if (performance.now() > end)
      throw new Error(
        `Host ${host + 1} does not play ${PLAYING_TIMEOUT_MS / 1000} s after its last fault. It printed: ${cluster.host(host)?.said}`,
      );
    await systemClock.sleep(POLL_MS);
  }
}

/** Resolves when the fault is over and was shown, or could have been. */
async function isShown(cluster: BenchCluster, fault: WatchedFault, healed: Promise<void>): Promise<boolean> {
  let end = Number.POSITIVE_INFINITY;
  const ending = healed.then(() => {
    end = performance.now() + SHOWN_WITHIN_MS;
  });
  ending.catch(() => undefined);
  let isSeen = false;
  for (; !isSeen && performance.now() < end; await systemClock.sleep(SHOWN_POLL_MS))
    isSeen = isVisible(fault, cluster.run.state());
  await ending;
  return isSeen;
}

/** Resolves when the fault is over. */
async function injected(cluster: BenchCluster, { kind, forMs, host = 0 }: PlannedFault): Promise<void> {
  const over = () => systemClock.sleep(forMs);
  switch (kind) {
    case 'kill':
      await cluster.crash(host);
      await over();
      return cluster.boot(host);
    case 'pause':
      cluster.host(host)?.signal('SIGSTOP');
      await over();
      cluster.host(host)?.signal('SIGCONT');
      return;
    case 'partition':
      await cluster.network.link?.cut(host);
      await over();
      await cluster.network.link?.mend(host);
      return;
    case 'broker':
      return cluster.broker.restart(forMs);
    case 'disk':
      await cluster.disk?.fill();
      await over();
      return cluster.disk?.free();
    case 'clock':
      await cluster.moveClock(host, CLOCK_AHEAD_MS);
      await over();
      return cluster.moveClock(host, 0);
  }
}

/** Until another episode is stored and other weights are published. */
async function untilTrained({ run }: BenchCluster): Promise<void> {
  const [stored, { version }] = [run.records.stored.length, run.state().trainer];
  const end = performance.now() + FAILOVER_TIMEOUT_MS;
  while (
    (run.records.stored.length === stored || run.state().trainer.version === version) &&
    performance.now() < end
  ) {
    run.requireTraining();
    await systemClock.sleep(POLL_MS);
  }
}

export const faultFigures = (outcome: FaultRunOutcome): Figures => {
  const { episodes, actions, failovers, visible } = outcome;
  return {
    episodes_lost: episodes.lost,
    episodes_twice: episodes.twice,
    actions_twice: actions.twice,
    actions_unperformed: actions.unperformed,
    misattributed: outcome.misattributed,
    failover_s: Math.max(...failovers),
    faults: failovers.length,
    visible_faults: visible,
    invisible_faults: failovers.length - visible,
    episodes: episodes.ordered,
    episodes_trained: episodes.trained,
    episodes_repeated: episodes.repeated,
    steps: outcome.steps,
    files_unreadable: outcome.unreadable,
    hosts_ended: outcome.ended,
    hosts_playing_at_end: outcome.playing,
  };
};
