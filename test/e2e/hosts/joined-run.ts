// A run over several hosts in processes of their own: a daemon that trains, and hosts that join it.

import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { HostState } from '../../../runtime/protocol/daemon/hosts.ts';
import { freePort } from '../../free-port.ts';
import type { NatsServer } from '../../nats-server.ts';
import { temporaryFolder } from '../../temporary.ts';
import { CommandLine } from '../command-line.ts';
import { Daemon, daemonProgram } from '../training.ts';

export type Settings = Readonly<Record<string, unknown>>;

export async function trainingOver(broker: NatsServer, fabric: Settings = {}, settings: Settings = {}) {
  const options = { ...(await daemonProgram()), root: join(temporaryFolder('cluster'), 'runs') };
  const config = {
    suite: { tasks: ['settings-theme', 'files-rename', 'mail-forward'] },
    minutes: 60,
    environments: { desktops: 2 },
    exploring: { firstSeconds: 1 },
    trainer: { publishSeconds: 0.5, checkpointMinutes: 0.03 },
    evaluation: { everySeconds: 600, instances: 1, lastInstances: 1, desktops: 1 },
    // A fixed port, so that hosts find the daemon that follows.
    fabric: { kind: 'nats', servers: [broker.url], listen: `127.0.0.1:${await freePort()}`, ...fabric },
    ...settings,
  };
  let daemon = new Daemon({ ...options, config });
  onTestFinished(() => daemon.kill());
  const run = await daemon.says('began');
  const address = await daemon.says('join');
  return {
    address,
    root: options.root,
    get daemon() {
      return daemon;
    },
    resume: async () => {
      await daemon.kill();
      daemon = new Daemon({ ...options, run });
    },
  };
}

export type Training = Awaited<ReturnType<typeof trainingOver>>;

/** A process of `dartboard join`, in a folder of its own. */
export function host({ address }: Training, name: string) {
  const line = new CommandLine(temporaryFolder(name));
  const begun = line.begin('join', address, '--desktops', '3', '--name', name);
  const group = -(begun.program.pid ?? 0);
  /** To its child processes too. They may have ended by themselves. */
  const signal = (which: NodeJS.Signals) => {
    try {
      process.kill(group, which);
    } catch {}
  };
  onTestFinished(() => signal('SIGKILL'));
  const { said, ended, program } = begun;
  return { name, said, ended, program, signal };
}

export type HostProcess = ReturnType<typeof host>;

export const stateOf = ({ daemon }: Training, name: string): HostState | undefined =>
  daemon.state?.hosts?.find(each => each.name === name);

/** Once this host has played more. */
export async function plays(run: Training, { name, program, said }: HostProcess): Promise<void> {
  const before = stateOf(run, name)?.steps ?? 0;
  await run.daemon.until(`${name} played`, () => {
    if (program.exitCode !== null) throw new Error(`${name} ended: ${said.stdout} ${said.stderr}`);
    const { status, steps = 0 } = stateOf(run, name) ?? {};
    return status === 'playing' && steps > before;
  });
}

/** In the middle of its episodes. Returns when somebody else has played one of them: at least its second attempt. */
export async function vanishes(run: Training, tower: HostProcess, how: NodeJS.Signals): Promise<void> {
  const { daemon } = run;
  await daemon.until(`${tower.name} plays`, () => (stateOf(run, tower.name)?.playing ?? 0) > 0);
  const before = new Set(daemon.kept);
  tower.signal(how);
  await daemon.until(`${tower.name} is lost`, () => stateOf(run, tower.name)?.status === 'lost');
  expect(stateOf(run, tower.name)).toMatchObject({ playing: 0, stepsPerS: 0 });
  const isRepetition = (id: string) => !before.has(id) && !id.endsWith('.1');
  await daemon.until('its orders are played again', () => [...daemon.kept].some(isRepetition));
}
