// What `dartboard train` does, and `start`, which is short for it: the configuration of the workspace, with what options say in its place, becomes a run.

import { join } from 'node:path';
import { resolve } from '../config/config.ts';
import { CONFIG_FILE, readConfig } from '../config/config-file.ts';
import type { DesktopKind } from '../config/kinds.ts';
import { printed, whatWasSaid } from '../config/print.ts';
import type { CurationPreset } from '../config/sections/curation.ts';
import { givenByOptions } from '../config/settings.ts';
import type { Preset } from '../config/shape.ts';
import type { Mode } from '../core/policy.ts';
import type { Tier } from '../environments/suite.ts';
import { openSuite, tasksOf } from '../run/suite.ts';
import { inSight, type Surroundings } from './foreground.ts';

/** What is undefined was not said: then the file says it, or the preset. */
export interface StartSettings {
  readonly desktops: DesktopKind | undefined;
  readonly preset: Preset | undefined;
  readonly curation: CurationPreset | undefined;
  readonly tiers: readonly Tier[] | undefined;
  readonly minutes: number | undefined;
  readonly seed: string | undefined;
  readonly mode: Mode | undefined;
  readonly demonstrations: number | undefined;
}

export interface Start {
  readonly settings: StartSettings;
  /** The file of a checkpoint or the name of a run, whose weights it begins with. */
  readonly from: string | undefined;
  /** Only shows what would be trained. */
  readonly dryRun: boolean;
  readonly around: Surroundings;
  /** For what is no part of what is printed. */
  readonly remark: (text: string) => void;
}

export async function start({ settings, from, dryRun, around, remark }: Start): Promise<void> {
  const { desktops, tiers, curation, ...others } = settings;
  const said = givenByOptions({
    ...others,
    ...(desktops !== undefined && { environments: { kind: desktops } }),
    ...(tiers !== undefined && { suite: { tiers } }),
    ...(curation !== undefined && { curation: { preset: curation } }),
  });
  const resolved = resolve(await readConfig(join(around.folder, CONFIG_FILE)), said);
  if (dryRun) {
    around.output.write(printed(resolved));
    // Apart: what is printed can go into a file that gives the same run.
    for (const line of whatWasSaid(resolved, CONFIG_FILE)) remark(line);
    return;
  }
  const { config } = resolved;
  await inSight(around, async runs => {
    // What cannot be trained is said before anything is shown.
    tasksOf(config, await openSuite(config));
    return () => (from === undefined ? runs.start(config) : runs.start(config, { from }));
  });
}
