// A run whose processes are killed and stalled, and whose machine is disturbed: its daemons one after another, all processes that were ever
// below them, and the time from each fault until training continues.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { at } from '../../../core/at.ts';
import { messageOf } from '../../../core/errors.ts';
import { systemClock } from '../../../core/system-clock.ts';
import type { DockerHost } from '../../../environments/docker/host.ts';
import { entry } from '../../training.ts';
import { faultIndex } from './index-fault.ts';
import type { RunMachine } from './machine.ts';
import type { ProcessFault, ProcessFaultKind, Victim } from './plan.ts';
import {
  isStillRunning,
  killIfRunning,
  processesBelow,
  type RunningProcess,
  victimsAmong,
} from './processes.ts';
import { TrainingDaemon } from './training-daemon.ts';
import type { FaultyWorld } from './worlds.ts';

/** The daemon or the endpoint is suspended for so long; other stalled processes never continue. */
const SUSPENDED_MS = { daemon: 60_000, endpoint: 20_000 };
/** A service manager starts the endpoint again after this time. */
const ENDPOINT_DOWN_MS = 3000;
/** A run that has not continued by then is stuck. */
const STUCK_AFTER_MS = 120_000;
/** Random weights need a while until their first update. */
const START_TIMEOUT_MS = 600_000;
/** A process that was killed is back by then. */
const PRESENT_AFTER_MS = 60_000;
/** Several intervals of the evaluation. */
const MEASURED_AFTER_MS = 300_000;
const STOP_TIMEOUT_MS = 120_000;
/** The time until the last processes and containers have ended after a stop. */
const GONE_AFTER_MS = 30_000;
const POLL_MS = 50;
/** Reading all processes of a machine takes some milliseconds. */
const PROCESSES_POLL_MS = 500;

/** `seconds` count from the end of a suspension or of a full disk, and from the fault otherwise. `stuck`: why the run does not continue. */
export type FaultResult = { readonly seconds: number } | { readonly stuck: string };

export class FaultedRun {
  readonly kept = new Set<string>();
  readonly labelled = new Set<string>();
  readonly broken: string[] = [];
  readonly #machine: RunMachine;
  readonly #world: FaultyWorld;
  readonly #seen = new Map<string, RunningProcess>();
  #daemon: TrainingDaemon;
  #run = '';

  private constructor(machine: RunMachine, world: FaultyWorld) {
    this.#machine = machine;
    this.#world = world;
    this.#daemon = this.#launch();
  }

  /** Resolves when it trains. */
  static async start(machine: RunMachine, world: FaultyWorld): Promise<FaultedRun> {
    const run = new FaultedRun(machine, world);
    try {
      const why = await run.#untilTrained(START_TIMEOUT_MS);
      if (why !== undefined) throw new Error(`The run does not train before its first fault. ${why}`);
      return run;
    } catch (error) {
      await run.kill();
      throw error;
    }
  }

  /** The name of the run. */
  get name(): string {
    return this.#run;
  }

  async inject(fault: ProcessFault): Promise<FaultResult> {
    await systemClock.sleep(fault.afterMs);
    const injectedAt = performance.now();
    try {
      const isRepaired = await this.#inject(fault);
      const from = isSuspension(fault) ? performance.now() : injectedAt;
      const stuck = await this.#untilTrained(STUCK_AFTER_MS, isRepaired);
      if (stuck !== undefined) return { stuck };
      this.#labelOne();
      return { seconds: (performance.now() - from) / 1000 };
    } catch (error) {
      return { stuck: messageOf(error) };
    }
  }

  /** Kills all processes and resumes the run, after a fault from which it did not recover. Returns why that failed. */
  async revive(): Promise<string | undefined> {
    await this.kill();
    this.#daemon = this.#launch();
    return this.#untilTrained(START_TIMEOUT_MS);
  }

  /** True once the curve has another measurement after this call. */
  async isMeasured(): Promise<boolean> {
    const points = () => this.#daemon.state?.curve.length ?? 0;
    const before = points();
    const end = performance.now() + MEASURED_AFTER_MS;
    while (points() <= before && !this.#daemon.hasEnded && performance.now() < end)
      await systemClock.sleep(POLL_MS);
    return points() > before;
  }

  /** Stops the run as its user would. Returns the processes and containers that remain, as sentences, and whether it stopped by itself. */
  async end(): Promise<{ readonly orphans: readonly string[]; readonly hasStopped: boolean }> {
    await this.#look();
    const stopping = this.#daemon.stop();
    await Promise.race([stopping, systemClock.sleep(STOP_TIMEOUT_MS)]);
    const hasStopped = this.#daemon.hasEnded && this.#daemon.said.includes('closed');
    if (!this.#daemon.hasEnded) await this.#daemon.kill();
    this.#take();
    const end = performance.now() + GONE_AFTER_MS;
    let orphans = await this.#remaining();
    for (; orphans.length > 0 && performance.now() < end; orphans = await this.#remaining())
      await systemClock.sleep(PROCESSES_POLL_MS);
    return { orphans, hasStopped };
  }

  /** All of its processes. */
  async kill(): Promise<void> {
    await this.#look();
    await this.#daemon.kill();
    this.#take();
    for (const each of this.#seen.values()) await killIfRunning(each);
  }

  /** Returns whether the victim is replaced. A suspended one continues before this resolves. */
  async #inject({ victim, kind, choice }: ProcessFault): Promise<() => Promise<boolean>> {
    const { endpoint, engine } = this.#world;
    if (kind === 'disturb') await this.#disturb(victim, choice);
    else if (victim === 'container' && engine !== undefined)
      return this.#injectContainer(engine, kind, choice);
    else if (victim === 'daemon')
      await (kind === 'kill' ? this.#restart() : suspend(this.#daemon, SUSPENDED_MS.daemon));
    else if (victim === 'endpoint' && endpoint !== undefined)
      await (kind === 'kill' ? endpoint.restart(ENDPOINT_DOWN_MS) : suspend(endpoint, SUSPENDED_MS.endpoint));
    else if (victim === 'index') await faultIndex(this.#machine.root, kind);
    else return this.#injectProcess(victim, kind, choice);
    return async () => true;
  }

  async #disturb(victim: Victim, choice: number): Promise<void> {
    if (victim === 'disk') await this.#machine.fillDisk();
    else if (victim === 'clock') await this.#machine.moveClock(choice % 2 === 0);
    else await this.#machine.suspend(this.#daemon.pid, () => this.#look(), await this.#containers());
  }

  async #injectProcess(
    victim: Victim,
    kind: Exclude<ProcessFaultKind, 'disturb'>,
    choice: number,
  ): Promise<() => Promise<boolean>> {
    const all = await this.#untilPresent(victim);
    const { pid } = at(all, choice % all.length);
    process.kill(pid, kind === 'kill' ? 'SIGKILL' : 'SIGSTOP');
    return async () => {
      const now = victimsAmong(await this.#look(), victim);
      return now.length >= all.length && !now.some(each => each.pid === pid);
    };
  }

  /** A run can train before all processes of an earlier fault are back: what was under way suffices. */
  async #untilPresent(victim: Victim): Promise<readonly RunningProcess[]> {
    const end = performance.now() + PRESENT_AFTER_MS;
    for (;;) {
      const all = victimsAmong(await this.#look(), victim);
      if (all.length > 0) return all;
      if (performance.now() > end)
        throw new Error(
          `The run '${this.#run}' has had no ${victim} for ${PRESENT_AFTER_MS / 1000} s. Repeat the fault.`,
        );
      await systemClock.sleep(PROCESSES_POLL_MS);
    }
  }

  /** A stalled container is paused for good. */
  async #injectContainer(
    engine: DockerHost,
    kind: Exclude<ProcessFaultKind, 'disturb'>,
    choice: number,
  ): Promise<() => Promise<boolean>> {
    const all = await this.#containers();
    if (all.length === 0) throw new Error(`The run '${this.#run}' has no container for the fault.`);
    const container = at(all, choice % all.length);
    if (kind === 'kill') await engine.remove(container);
    else await promisify(execFile)('docker', ['pause', container]);
    return async () => !(await this.#containers()).includes(container);
  }

  /** Kills the daemon alone. Its processes find that out. */
  async #restart(): Promise<void> {
    await this.#look();
    await this.#daemon.kill();
    this.#take();
    this.#daemon = this.#launch();
  }

  /** Until another episode is stored and other weights are published, and `isRepaired`. Returns why the run does not get there. */
  async #untilTrained(timeoutMs: number, isRepaired = async () => true): Promise<string | undefined> {
    const daemon = this.#daemon;
    const end = performance.now() + timeoutMs;
    let before: { readonly kept: number; readonly version: number } | undefined;
    let isOver = false;
    for (let lookAt = 0; performance.now() < end; await systemClock.sleep(POLL_MS)) {
      const { state } = daemon;
      if (this.#run === '') this.#run = startedRun(daemon) ?? '';
      if (daemon.hasEnded) return `The daemon has ended. It printed: ${lastLines(daemon)}`;
      if (state?.status === 'failed' || state?.status === 'ended')
        return `The run is ${state.status}: ${state.message ?? 'no reason'}`;
      if (state?.status !== 'running') continue;
      before ??= { kept: daemon.kept.size, version: state.trainer.version };
      const isTrained = daemon.kept.size > before.kept && state.trainer.version > before.version;
      if (isTrained && isOver) return undefined;
      if (performance.now() < lookAt) continue;
      lookAt = performance.now() + PROCESSES_POLL_MS;
      isOver ||= await isRepaired();
      if (isTrained && isOver) return undefined;
    }
    const { state } = daemon;
    const problems = state?.problems.map(({ message }) => message).join(' ') ?? '';
    return `After ${timeoutMs / 1000} s: status ${state?.status}, ${daemon.kept.size - (before?.kept ?? 0)} episodes, ${(state?.trainer.version ?? 0) - (before?.version ?? 0)} optimiser steps, ${isOver ? 'all processes replaced' : 'a process not replaced'}. ${problems} The daemon printed: ${lastLines(daemon)}`;
  }

  #launch(): TrainingDaemon {
    return new TrainingDaemon({
      program: fileURLToPath(entry('bench-daemon')),
      dist: fileURLToPath(new URL('.', entry('bench-daemon'))),
      root: this.#machine.root,
      environment: this.#machine.environment,
      index: entry('bench-index'),
      config: this.#world.config,
      ...(this.#run !== '' && { run: this.#run }),
    });
  }

  #labelOne(): void {
    const newest = [...this.#daemon.kept].at(-1);
    if (newest !== undefined) this.#daemon.label(newest);
  }

  /** Keeps what the present daemon acknowledged. */
  #take(): void {
    for (const id of this.#daemon.kept) this.kept.add(id);
    for (const id of this.#daemon.labelled) this.labelled.add(id);
    this.broken.push(...this.#daemon.broken);
  }

  /** The processes below the daemon. */
  async #look(): Promise<readonly RunningProcess[]> {
    const all = await processesBelow(this.#daemon.pid);
    for (const each of all) this.#seen.set(`${each.pid} ${each.command}`, each);
    return all;
  }

  async #containers(): Promise<readonly string[]> {
    const found = await this.#world.engine?.list({ 'dartboard.owner': this.#run });
    return found?.map(({ id }) => id) ?? [];
  }

  async #remaining(): Promise<readonly string[]> {
    const all = [...this.#seen.values()];
    const running = await Promise.all(all.map(isStillRunning));
    return [
      ...all
        .filter((_, index) => running[index])
        .map(({ pid, command }) => `process ${pid}: ${command.replaceAll('\0', ' ').slice(0, 200)}`),
      ...(await this.#containers()).map(id => `container ${id}`),
    ];
  }
}

/** It is over when it was injected. */
const isSuspension = ({ victim, kind }: ProcessFault): boolean =>
  kind === 'stall' ? victim === 'daemon' || victim === 'endpoint' : kind === 'disturb' && victim !== 'clock';

async function suspend(
  one: { signal(which: 'SIGSTOP' | 'SIGCONT'): void },
  milliseconds: number,
): Promise<void> {
  one.signal('SIGSTOP');
  await systemClock.sleep(milliseconds);
  one.signal('SIGCONT');
}

const startedRun = ({ said }: TrainingDaemon): string | undefined =>
  said.find(line => line.startsWith('began '))?.slice('began '.length);

const LAST_LINES = 8;

const lastLines = ({ said }: TrainingDaemon): string =>
  said.length === 0 ? 'nothing.' : said.slice(-LAST_LINES).join('; ');
