// `dartboard train`: trains a policy from the configuration of the workspace. Command-line options override dartboard.json.

import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { resolve } from '../config/config.ts';
import { CONFIG_FILE, readConfig } from '../config/config-file.ts';
import { listGivenSettings, printConfig } from '../config/print.ts';
import { CURATIONS, type CurationPreset } from '../config/sections/curation.ts';
import { settingsFromOptions } from '../config/settings.ts';
import { PRESETS, type Preset } from '../config/shape.ts';
import { MODES, type Mode } from '../core/policy.ts';
import type { Tier } from '../environments/suite.ts';
import { DESKTOP_KINDS, type DesktopKind } from '../protocol/desktop-kinds.ts';
import { openSuite, trainingTasks } from '../run/suite.ts';
import { requireTrainable } from '../run/trainable.ts';
import { findCheckpoint } from '../server/first-checkpoint.ts';
import type { CliContext } from './context.ts';
import { openRuns, type RunsContext, trainInForeground } from './foreground.ts';
import { minutesOption, parseSeed, portOption, tierOption, wholeNumber } from './options.ts';

const MAX_DEMONSTRATIONS = 32;

/** An option that the user leaves out takes the value of dartboard.json, or of the preset. */
export interface TrainOptions {
  /** `compact`, or the name of an agent in dartboard.json. */
  readonly agent?: string;
  readonly desktops?: DesktopKind;
  readonly preset?: Preset;
  readonly curation?: CurationPreset;
  readonly tier?: readonly Tier[];
  readonly minutes?: number;
  readonly seed?: string;
  readonly mode?: Mode;
  readonly demonstrations?: number;
  /** A checkpoint file or the name of a run: training begins with its weights. */
  readonly from?: string;
  readonly port: number;
  readonly dryRun?: boolean;
}

export function addTrainCommand(program: Command, context: CliContext): void {
  program
    .command('train')
    .alias('start')
    .description('Train a policy on this machine. Options override dartboard.json of this folder.')
    .option(
      '--agent <name>',
      "compact, or an agent of dartboard.json that has a learner; 'dartboard doctor' lists them (default: compact)",
    )
    .addOption(
      new Option(
        '--desktops <kind>',
        "pocket: the built-in desktop. docker: real applications in containers, after 'dartboard docker build'. web: pages in a headless browser. guest: a machine with OSWorld's server. offline: stored trajectories (default: pocket)",
      ).choices(DESKTOP_KINDS),
    )
    .addOption(
      new Option(
        '--preset <name>',
        'scratch: explore from random weights. taught: imitate scripted solutions first. dart-7b: the constants of the paper, for agents with a learner (default: scratch; taught with demonstrations, with Docker and with stored trajectories; dart-7b for agents with a learner)',
      ).choices(PRESETS),
    )
    .addOption(
      tierOption(
        'difficulty of the tasks: 1 to 4, or several as 1,2 (default: 1; 3,4 with guests; 3 with stored trajectories)',
      ),
    )
    .addOption(minutesOption('training time (default: 5)'))
    .option('--seed <text>', 'seed of every random choice (default: dartboard)', parseSeed)
    .addOption(
      new Option(
        '--mode <mode>',
        'what the policy observes (default: screenshot_a11y_tree; screenshot with stored trajectories; that of the agent)',
      ).choices(MODES),
    )
    .option(
      '--demonstrations <number>',
      'scripted solutions of each task to imitate first (default: 0; 5 for taught)',
      wholeNumber(0, MAX_DEMONSTRATIONS),
    )
    .addOption(
      new Option(
        '--curation <name>',
        'dart: all parts of adaptive curation. grpo: none. no-…: all but that part (default: dart)',
      ).choices(CURATIONS),
    )
    .option(
      '--from <checkpoint>',
      "checkpoint or weights file, name of a run, or 'base', to begin with (default: random weights)",
    )
    .addOption(portOption())
    .option('--dry-run', 'print the settings of the run and exit')
    .action((options: TrainOptions) => train({ ...context, open: openRuns(context) }, options));
}

export async function train(context: RunsContext, options: TrainOptions): Promise<void> {
  const { agent, desktops, preset, curation, tier, minutes, seed, mode, demonstrations, from } = options;
  const overrides = settingsFromOptions({
    ...{ agent, preset, minutes, seed, mode, demonstrations },
    ...(desktops !== undefined && { environments: { kind: desktops } }),
    ...(tier !== undefined && { suite: { tiers: tier } }),
    ...(curation !== undefined && { curation: { preset: curation } }),
  });
  const resolved = resolve(await readConfig(join(context.folder, CONFIG_FILE)), overrides);
  for (const notice of resolved.notices) context.printError(notice);
  if (options.dryRun) {
    context.output.write(printConfig(resolved));
    // On standard error: the output alone is a configuration file that gives the same run.
    for (const line of listGivenSettings(resolved, CONFIG_FILE)) context.printError(line);
    return;
  }
  const { config } = resolved;
  await trainInForeground(context, options.port, async runs => {
    // Rejects agents, tasks and checkpoints that cannot be trained before the display starts.
    requireTrainable(config);
    trainingTasks(config, await openSuite(config));
    if (from !== undefined) await findCheckpoint(from, context.root);
    return () => (from === undefined ? runs.start(config) : runs.start(config, { from }));
  });
}
