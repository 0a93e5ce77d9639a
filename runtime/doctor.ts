// What `dartboard doctor` does: looks whether all is there that Dartboard needs, and says what to do about what is not.

import { availableParallelism, freemem, totalmem } from 'node:os';
import { join } from 'node:path';
import { systemClock } from './daemon/clock.ts';
import { CONFIG_FILE, readConfig } from './daemon/config/config-file.ts';
import { engineHere, thisMachine } from './daemon/desktops/image.ts';
import { configuration } from './daemon/doctor/configuration.ts';
import { docker } from './daemon/doctor/docker.ts';
import { type Checks, examine } from './daemon/doctor/examine.ts';
import { daemon, runs } from './daemon/doctor/leftovers.ts';
import { cores, disk, diskAt, listenOnce, memory, ports } from './daemon/doctor/machine.ts';
import { engineAt, node, onnxRuntime, sqlJs, sumBySql } from './daemon/doctor/programs.ts';
import { exitCode, report, reportJson } from './daemon/doctor/report.ts';
import { RUNS } from './daemon/keep/run-folder.ts';
import { RunFolders } from './daemon/run-folders.ts';
import { findDaemon } from './daemon/server/discovery.ts';
import { painted } from './daemon/terminal/line.ts';
import { hasColour, type Output } from './daemon/terminal/output.ts';
import { DISCOVERY_FILE } from './protocol/daemon/discovery.ts';

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
  const discovery = join(folder, DISCOVERY_FILE);
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
    Settings: () => configuration(() => readConfig(join(folder, CONFIG_FILE))),
    Daemon: async () => daemon(await findDaemon(discovery), discovery),
    Runs: async () => {
      const list = await folders.list();
      const damaged = list.damaged.map(({ why }) => why);
      return runs(await folders.stale(), damaged, list.runs.length);
    },
    Docker: () =>
      docker((environment['DOCKER_HOST'] ?? '') !== '', () =>
        engineHere(thisMachine(environment), systemClock),
      ),
  };
  const findings = await examine(checks);
  const colour = hasColour(output, environment);
  const lines = json ? [reportJson(findings)] : report(findings).map(line => painted(line, colour));
  output.write(`${lines.join('\n')}\n`);
  return exitCode(findings);
}

/** macOS fills its memory with what it can give away at once, and does not say how much that is. */
const freeMemory = (): number | undefined => (process.platform === 'darwin' ? undefined : freemem());
