// What `dartboard doctor` does: looks whether all is there that Dartboard needs, and says what to do about what is not.

import { availableParallelism, freemem, totalmem } from 'node:os';
import { join } from 'node:path';
import { type Config, resolve } from '../config/config.ts';
import { CONFIG_FILE, readConfig } from '../config/config-file.ts';
import type { Finding } from '../core/finding.ts';
import { systemClock } from '../core/system-clock.ts';
import { hostSettings } from '../environments/docker/host-settings.ts';
import { inspectEngine } from '../environments/docker/open-docker.ts';
import { DAEMON_FILE } from '../protocol/daemon/daemon-file.ts';
import { RUNS } from '../run/run-folder.ts';
import { RunFolders } from '../run/run-folders.ts';
import { findDaemon } from '../server/daemon-file.ts';
import { engineHere } from '../server/desktops/image.ts';
import { configuration } from './doctor/configuration.ts';
import { docker, engines } from './doctor/docker.ts';
import { type Checks, examine } from './doctor/examine.ts';
import { daemon, runs } from './doctor/leftovers.ts';
import { cores, disk, diskAt, listenOnce, memory, ports } from './doctor/machine.ts';
import { engineAt, node, onnxRuntime, sqlJs, sumBySql } from './doctor/programs.ts';
import { exitCode, report, reportJson } from './doctor/report.ts';
import { painted } from './terminal/line.ts';
import { hasColour, type Output } from './terminal/output.ts';

export interface Doctor {
  /** The bundled entry of the engine's process. */
  readonly engineEntry: URL;
  /** The workspace. */
  readonly folder: string;
  readonly json: boolean;
  readonly output: Output;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Gives the exit code: 1 where something that is needed is missing. */
export async function doctor({ engineEntry, folder, json, output, environment }: Doctor): Promise<0 | 1> {
  const folders = new RunFolders(join(folder, RUNS));
  const discovery = join(folder, DAEMON_FILE);
  const settings = () => readConfig(join(folder, CONFIG_FILE));
  // Why they cannot be read is told by their own check.
  const config = await settings()
    .then(given => resolve(given).config)
    .catch(() => undefined);
  const checks: Checks = {
    Node: () => node(process.versions.node),
    'ONNX Runtime': () => onnxRuntime(engineAt(engineEntry)),
    'sql.js': () => sqlJs(sumBySql),
    Cores: () => cores(availableParallelism()),
    Memory: () => memory(freeMemory(), totalmem()),
    Disk: () =>
      disk(
        folder,
        diskAt(() => performance.now()),
      ),
    Ports: () => ports(listenOnce),
    Settings: () => configuration(settings),
    Daemon: async () => daemon(await findDaemon(discovery), discovery),
    Runs: async () => {
      const list = await folders.list();
      const damaged = list.damaged.map(({ why }) => why);
      return runs(await folders.stale(), damaged, list.runs.length);
    },
    Docker: () => desktops(config, environment),
  };
  const findings = await examine(checks);
  const colour = hasColour(output, environment);
  const lines = json ? [reportJson(findings)] : report(findings).map(line => painted(line, colour));
  output.write(`${lines.join('\n')}\n`);
  return exitCode(findings);
}

function desktops(config: Config | undefined, environment: Doctor['environment']): Promise<Finding> {
  const around = hostSettings(environment);
  if (config?.environments.kind === 'docker') {
    const { hosts, image } = config.environments.docker;
    return engines(hosts.map(host => inspectEngine(host, image, around, systemClock)));
  }
  const isNamed = ['DOCKER_HOST', 'DOCKER_CONTEXT'].some(name => (environment[name] ?? '') !== '');
  return docker(isNamed, () => engineHere(around, systemClock));
}

/** macOS fills its memory with what it can give away at once, and does not say how much that is. */
const freeMemory = (): number | undefined => (process.platform === 'darwin' ? undefined : freemem());
