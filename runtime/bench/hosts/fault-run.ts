// Injects the planned faults into a cluster that trains, and measures how long training stands still after each.

import { systemClock } from '../../core/system-clock.ts';
import type { BenchCluster } from './cluster.ts';
import { accountOfEpisodes, type EpisodeAccount, openOrders } from './episodes.ts';
import { FAULT_MS, type PlannedFault } from './faults.ts';

export interface FaultRunOutcome extends EpisodeAccount {
  /** Seconds from each fault until the run has stored another episode and published other weights. */
  readonly failovers: readonly number[];
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
const POLL_MS = 50;

export async function runFaults(
  cluster: BenchCluster,
  plan: readonly PlannedFault[],
  say: (text: string) => void,
): Promise<FaultRunOutcome> {
  const { run } = cluster;
  const failovers: number[] = [];
  const healing: Promise<void>[] = [];
  const startedAt = performance.now();
  for (const fault of plan) {
    await systemClock.sleep(Math.max(0, startedAt + fault.atMs - performance.now()));
    cluster.reviveAll();
    const injectedAt = performance.now();
    const healed = injected(cluster, fault);
    healing.push(healed);
    // Reported at the end.
    healed.catch(() => undefined);
    // Without a broker, what is under way still finishes; that is no proof.
    if (fault.kind === 'broker') await healed;
    await untilTrained(cluster);
    const seconds = (performance.now() - injectedAt) / 1000;
    failovers.push(seconds);
    const which = fault.host === undefined ? '' : ` host ${fault.host + 1}`;
    say(`    ${fault.kind}${which}: trains again after ${seconds.toFixed(1)} s`);
  }
  await Promise.all(healing);
  const { ordered, stored, batches } = run.records;
  const begun = [...ordered];
  const end = performance.now() + SETTLE_TIMEOUT_MS;
  for (; openOrders(begun, stored).length > 0 && performance.now() < end; await systemClock.sleep(POLL_MS))
    run.requireTraining();
  const account = accountOfEpisodes({ ordered: begun, stored: [...stored], batches: [...batches] });
  const playing = await cluster.havePlayed(cluster.hosts, cluster.steps);
  let unreadable = 0;
  for (const { trajectory } of [...stored]) if (!(await run.isReadable(trajectory))) unreadable += 1;
  return { ...account, failovers, playing, ended: cluster.endedByThemselves, unreadable };
}

/** Resolves when the fault is over. */
async function injected(cluster: BenchCluster, { kind, host = 0 }: PlannedFault): Promise<void> {
  const over = () => systemClock.sleep(FAULT_MS[kind]);
  switch (kind) {
    case 'kill':
      await cluster.crash(host);
      await over();
      cluster.boot(host);
      return;
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
      return cluster.broker.restart(FAULT_MS.broker);
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
