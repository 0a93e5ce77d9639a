// Starts the processes of a run under supervision, each with its options.

import { dirname, join } from 'node:path';
import type { NetworkShape } from '../agents/compact/network.ts';
import type { Config } from '../config/config.ts';
import { tokenRecipe } from '../config/token-recipe.ts';
import { trainingRecipe } from '../config/training-recipe.ts';
import { COMPACT_AGENT } from '../core/agent.ts';
import type { Clock } from '../core/clock.ts';
import type { RunId, TaskId, Version } from '../core/ids.ts';
import type { Fabric } from '../fabric/fabric.ts';
import { CHECKPOINTS, MASKS_FILE } from './folders/run-folders.ts';
import type { HostStart } from './host/host.ts';
import { type ModuleOptions, ModuleProcess } from './module-process.ts';
import { type ModuleLife, ModuleSupervisor } from './module-supervisor.ts';
import { settingsOfAgent } from './named-agent.ts';
import type { TrainerStart } from './trainer/trainer-child.ts';

export interface ModuleEntries {
  readonly host: URL;
  readonly worker: URL;
  readonly trainer: URL;
  /** The engine that a learner in this process uses. */
  readonly engine: URL;
}

export interface ModulesOptions {
  readonly run: RunId;
  readonly config: Config;
  readonly tasks: readonly TaskId[];
  readonly shape: NetworkShape;
  readonly entries: ModuleEntries;
  /** The folder of the run; checkpoints and masks are below it. */
  readonly folder: string;
  readonly clock: Clock;
  /** The newest version of the weights that the files of the run name, if it is resumed. */
  readonly usedVersion?: Version;
  /** Starts the process of a module. A simulation runs it within its own. */
  readonly startProcess?: (module: ModuleOptions<object>) => ModuleLife;
}

/** One update of a language model takes minutes, and a stopped trainer finishes, publishes and saves the one in work. */
const UPDATE_TIMEOUT_MS = 6 * 60 * 60_000;

/** Calls `ready` for each process that got ready: a new trainer has no lessons of an earlier one. One that cannot start must not get them. */
export function startTrainer(
  options: ModulesOptions,
  fabric: Fabric,
  ready: () => Promise<void>,
): ModuleSupervisor {
  const { run, config, entries, folder, usedVersion } = options;
  const learns = learning(options);
  const start: TrainerStart = {
    run,
    learns,
    seed: config.seed,
    checkpoints: join(folder, CHECKPOINTS),
    masks: join(folder, MASKS_FILE),
    lock: join(folder, 'trainer.lock'),
    ...(usedVersion !== undefined && { usedVersion }),
  };
  const { checkpointMinutes } = config.trainer;
  const from = `from its last checkpoint, or anew where there is none yet (trainer.checkpointMinutes is ${checkpointMinutes})`;
  return supervised('trainer', entries.trainer, fabric, {
    ...{ ...options, startOf: () => start, ready, from },
    ...(learns.kind === 'tokens' && { closeTimeoutMs: UPDATE_TIMEOUT_MS }),
  });
}

function learning({ config, shape, entries, folder }: ModulesOptions): TrainerStart['learns'] {
  const { agent } = config;
  if (agent === COMPACT_AGENT) return { kind: 'heads', shape, recipe: trainingRecipe(config) };
  return {
    ...{ kind: 'tokens', agent, settings: settingsOfAgent(agent, config), recipe: tokenRecipe(config) },
    ...{ engine: entries.engine.href, runs: dirname(folder) },
  };
}

export type HostModuleOptions = Omit<ModulesOptions, 'entries' | 'folder'> & {
  readonly entries: Pick<ModuleEntries, 'host' | 'worker'>;
};

/** Facts that a host needs at each of its starts. */
export type HostProgress = Pick<HostStart, 'isFirst' | 'isTrained' | 'spent' | 'host' | 'prompted'>;

/** Calls `progress` at each start: a run that has played skips the first exploration. `ready` is called for each process that got ready. */
export function startHost(
  options: HostModuleOptions,
  fabric: Fabric,
  progress: () => HostProgress,
  ready?: () => Promise<void>,
): ModuleSupervisor {
  const { run, config, tasks, shape, entries } = options;
  const startOf = () => {
    const start: HostStart = { run, config, tasks, shape, ...progress() };
    return { ...start, worker: entries.worker.href };
  };
  return supervised('host', entries.host, fabric, {
    ...options,
    ...{ startOf, ready },
    waiting: config.environments.desktops,
  });
}

interface SupervisedOptions
  extends Pick<ModuleOptions<object>, 'clock' | 'waiting'>,
    Pick<ModulesOptions, 'startProcess'> {
  readonly startOf: () => object;
  readonly ready?: (() => Promise<void>) | undefined;
  readonly from?: string;
  readonly closeTimeoutMs?: number;
}

function supervised(
  name: 'trainer' | 'host',
  entry: URL,
  fabric: Fabric,
  {
    startOf,
    ready = async () => undefined,
    from,
    closeTimeoutMs,
    clock,
    waiting,
    startProcess = ModuleProcess.start,
  }: SupervisedOptions,
): ModuleSupervisor {
  const module = name === 'trainer' ? 'trainer' : 'rollout';
  return new ModuleSupervisor({
    name: `the ${name}`,
    begin: () => {
      const life = startProcess({
        ...{ name, entry, start: startOf(), fabric, clock },
        ...(waiting !== undefined && { waiting }),
      });
      // It ends before it is ready, which is reported, or the run ends meanwhile.
      life.ready.then(ready).catch(() => undefined);
      return life;
    },
    ...(from !== undefined && { from }),
    ...(closeTimeoutMs !== undefined && { closeTimeoutMs }),
    clock,
    health: (thing, healthy, message) => {
      const at = clock.now();
      fabric.events.publish({ module, at, kind: 'health', thing, healthy, message });
      // A dead process waits for nothing, and its replacement does not withdraw the report.
      if (!healthy) fabric.events.publish({ module, at, kind: 'waiting', reason: undefined, since: at });
    },
  });
}
