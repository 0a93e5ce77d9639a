// `dartboard doctor`: checks that the machine has what Dartboard needs, and prints what to do where it does not.

import { availableParallelism, freemem, totalmem } from 'node:os';
import { join, resolve as resolvePath } from 'node:path';
import type { Command } from 'commander';
import { tryS3Store } from '../blobs/s3-blobs.ts';
import { s3KeysIn } from '../blobs/s3-bucket.ts';
import { type Config, resolve } from '../config/config.ts';
import { CONFIG_FILE, readConfig } from '../config/config-file.ts';
import type { Finding } from '../core/finding.ts';
import { systemClock, wallTime } from '../core/system-clock.ts';
import { postgresReport } from '../data/index/postgres/report.ts';
import { hostSettings } from '../environments/docker/address.ts';
import { cleanDefaultEngine, inspectEngine } from '../environments/docker/open-docker.ts';
import { screenshotOf } from '../environments/guest/desktop.ts';
import { GuestApi } from '../environments/guest/guest-api.ts';
import { readOsworldFolder } from '../environments/osworld/suite.ts';
import {
  ANY_BROWSER,
  type BrowserReport,
  browserHere,
  inspectBrowser,
} from '../environments/web/browser-here.ts';
import { webSuite } from '../environments/web/open-web.ts';
import { WEB } from '../environments/web/tasks/suite.ts';
import { daemonAccess, readCredentials } from '../fabric/nats/credentials.ts';
import { natsReport } from '../fabric/nats/report.ts';
import { DAEMON_FILE } from '../protocol/daemon/daemon-file.ts';
import { findDaemon } from '../protocol/daemon/find-daemon.ts';
import { RUNS } from '../run/folders/run-folder.ts';
import { RunFolders } from '../run/folders/run-folders.ts';
import { engineHere } from '../server/desktops/kinds.ts';
import type { CliContext } from './context.ts';
import { agents, hasAgents } from './doctor/agents.ts';
import { docker, engines } from './doctor/docker.ts';
import { blobStore, brokers } from './doctor/fabric.ts';
import { guests } from './doctor/guests.ts';
import { indexServer } from './doctor/index-server.ts';
import { cores, disk, diskAt, listenOnce, memory, ports } from './doctor/machine.ts';
import { engineAt, node, onnxRuntime, sqlJs, sumBySql } from './doctor/programs.ts';
import { type DoctorChecks, exitCode, report, reportJson, runChecks } from './doctor/report.ts';
import { taskReport, taskReportJson } from './doctor/tasks.ts';
import { web } from './doctor/web.ts';
import { configuration, daemon, runs } from './doctor/workspace.ts';
import { jsonOption } from './options.ts';
import { renderLine } from './terminal/line.ts';
import { type Environment, hasColour, type Printer } from './terminal/output.ts';

export function addDoctorCommand(program: Command, context: CliContext): void {
  program
    .command('doctor')
    .description(
      'Check what Dartboard needs on this machine, and print what to do where something is missing.',
    )
    .option('--tasks <folder>', "only say which of a folder's task files can run on guests and be judged")
    .addOption(jsonOption())
    .action(async ({ json = false, tasks }: { readonly json?: boolean; readonly tasks?: string }) => {
      if (tasks !== undefined) return printTasks(tasks, json, context);
      const engineEntry = context.entries.engine;
      const inspect = (configured: string) => inspectBrowser(configured, context.clock);
      process.exitCode = await doctor({
        ...context,
        engineEntry,
        json,
        browsers: { find: browserHere, inspect },
      });
    });
}

async function printTasks(folder: string, json: boolean, { output, environment }: Printer): Promise<void> {
  const tasks = await readOsworldFolder(folder);
  const colour = hasColour(output, environment);
  const lines = json
    ? [taskReportJson(tasks)]
    : taskReport(folder, tasks).map(line => renderLine(line, colour));
  output.write(`${lines.join('\n')}\n`);
}

export interface DoctorContext extends Printer {
  /** The bundle of the engine's process. */
  readonly engineEntry: URL;
  /** The workspace. */
  readonly folder: string;
  readonly json: boolean;
  readonly browsers: BrowserLooks;
}

/** `configured` is the value of `environments.web.browser`. */
interface BrowserLooks {
  /** Throws if there is no browser. */
  readonly find: (configured: string) => unknown;
  /** Starts the browser. Rejects if that fails. */
  readonly inspect: (configured: string) => Promise<BrowserReport>;
}

/** Returns the exit code: 1 where something that Dartboard needs is missing. */
export async function doctor(context: DoctorContext): Promise<0 | 1> {
  const { engineEntry, folder, json, output, environment, browsers } = context;
  const folders = new RunFolders(join(folder, RUNS));
  const daemonFile = join(folder, DAEMON_FILE);
  const settings = () => readConfig(join(folder, CONFIG_FILE));
  // The check of the settings reports why they cannot be read.
  const config = await settings()
    .then(given => resolve(given).config)
    .catch(() => undefined);
  const checks: DoctorChecks = {
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
    ...(config !== undefined && hasAgents(config) && { Agents: () => agents(config.agents, environment) }),
    Daemon: async () => daemon(await findDaemon(daemonFile), daemonFile),
    Runs: async () => {
      const list = await folders.list();
      const damaged = list.damaged.map(({ why }) => why);
      return runs(await folders.stale(), damaged, list.runs.length);
    },
    Docker: () => dockerDesktops(config, environment),
    Web: () => webDesktops(config, browsers),
    ...(config?.environments.kind === 'guest' && {
      Guests: () => guests(guestLooks(config.environments.guest.hosts)),
    }),
    ...indexCheck(config?.index.url),
    ...(config?.fabric.kind === 'nats' && {
      NATS: () => natsServers(config.fabric, folder),
      ...s3Check(config.fabric, environment),
    }),
  };
  const findings = await runChecks(checks);
  const colour = hasColour(output, environment);
  const width = output.columns || Number.POSITIVE_INFINITY;
  const lines = json ? [reportJson(findings)] : report(findings, width).map(line => renderLine(line, colour));
  output.write(`${lines.join('\n')}\n`);
  return exitCode(findings);
}

const guestLooks = (hosts: Config['environments']['guest']['hosts']) =>
  hosts.map(({ address }) => ({
    address,
    screenshot: () => screenshotOf(new GuestApi({ url: address, clock: systemClock })),
  }));

async function natsServers(
  { servers, credentials: file }: Config['fabric'],
  folder: string,
): Promise<Finding> {
  const credentials = async () =>
    file === undefined ? undefined : await readCredentials(resolvePath(folder, file));
  return brokers(
    servers.map(server => ({
      server,
      report: async () => natsReport(daemonAccess([server], await credentials())),
    })),
  );
}

function s3Check({ blobs }: Config['fabric'], environment: Environment): DoctorChecks {
  if (blobs === undefined) return {};
  const attempt = async () =>
    tryS3Store({ ...blobs, keys: s3KeysIn(environment), clock: systemClock, wallTime });
  return { S3: () => blobStore(`${blobs.endpoint}/${blobs.bucket}`, attempt) };
}

function indexCheck(url: string | undefined): DoctorChecks {
  if (url === undefined) return {};
  return { PostgreSQL: () => indexServer(() => postgresReport(url, () => performance.now())) };
}

function dockerDesktops(config: Config | undefined, environment: Environment): Promise<Finding> {
  const local = hostSettings(environment);
  if (config?.environments.kind === 'docker') {
    const { hosts, image } = config.environments.docker;
    return engines(hosts.map(host => inspectEngine(host, image, local, systemClock)));
  }
  const isNamed = ['DOCKER_HOST', 'DOCKER_CONTEXT'].some(name => (environment[name] ?? '') !== '');
  return docker(
    isNamed,
    () => engineHere(local, systemClock),
    () => cleanDefaultEngine(local, systemClock),
  );
}

function webDesktops(config: Config | undefined, { find, inspect }: BrowserLooks): Promise<Finding> {
  const isNeeded = config?.environments.kind === 'web';
  const { browser = ANY_BROWSER, miniwob } = config?.environments.web ?? {};
  return web({
    isNeeded,
    find: () => find(browser),
    start: () => inspect(browser),
    ...(miniwob !== undefined && {
      pages: async () => (await webSuite({ miniwob })).templates.length - WEB.templates.length,
    }),
  });
}

/** macOS counts reclaimable caches as used memory, so its number says nothing. */
const freeMemory = (): number | undefined => (process.platform === 'darwin' ? undefined : freemem());
