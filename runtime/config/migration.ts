// Settings that an earlier version of Dartboard wrote under other names. They keep loading, each with a notice.

import { isSection, type SettingPath, valueAt } from './leaves.ts';

export interface MigratedSettings {
  readonly value: unknown;
  readonly notices: readonly { readonly path: SettingPath; readonly text: string }[];
}

/** A published version of the weights had about this number of optimiser steps, by the kind of desktops. */
const UPDATES_PER_VERSION = { pocket: 125, docker: 1000 };

/** The old settings, with their old defaults. */
const OLD = { stalenessVersions: 4, trajectoriesPerVersion: 32 } as const;

/** Replaces old settings. A value that they did not allow stays, so that validation rejects it. */
export function migrateSettings(value: unknown): MigratedSettings {
  const { value: migrated, notices } = migrateWeighting(value);
  const { value: result, notices: others } = migrateVersions(migrated);
  return { value: result, notices: [...notices, ...others] };
}

/** Every recorded run has `trainer.weighting`; few have set it. */
function migrateWeighting(value: unknown): MigratedSettings {
  const trainer = valueAt(value, ['trainer']);
  if (!isSection(value) || !isSection(trainer)) return { value, notices: [] };
  const { weighting, ...kept } = trainer;
  if (weighting === 'advantage') return { value: { ...value, trainer: kept }, notices: [] };
  if (weighting !== 'successes') return { value, notices: [] };
  // The length of a rollout does not count for these advantages.
  const { shaping: _, ...others } = kept;
  // DigiRL's recipe set both.
  const advantages = trainer['advantages'] === 'filtered' ? 'filtered' : 'successes';
  const replaced = `The setting 'trainer.weighting' was replaced. Dartboard uses 'trainer.advantages': '${advantages}'`;
  const notice = (text: string) => [{ path: ['trainer', 'weighting'], text }];
  const agent = valueAt(value, ['agent']);
  const isFile = typeof agent === 'string' && valueAt(value, ['agents', agent, 'learner', 'kind']) === 'file';
  if (isFile)
    return {
      value: { ...value, trainer: { ...others, advantages } },
      notices: notice(`${replaced}. Write this instead.`),
    };
  // It had no ratio, no clip and no KL term.
  const given = valueAt(trainer, ['objective']);
  const objective = { ...(isSection(given) && given), clipHigh: 10, dualClip: 0, divergence: 0 };
  return {
    value: { ...value, trainer: { ...others, advantages, objective } },
    notices: notice(
      `${replaced}, and 'trainer.objective' with 'clipHigh': 10, 'dualClip': 0 and 'divergence': 0. Write these instead.`,
    ),
  };
}

function migrateVersions(value: unknown): MigratedSettings {
  const data = valueAt(value, ['data']);
  if (!isSection(value) || !isSection(data)) return { value, notices: [] };
  const given = Object.keys(OLD).filter(key => isCount(data[key]));
  if (given.length === 0) return { value, notices: [] };
  const old = (key: keyof typeof OLD): number => (isCount(data[key]) ? data[key] : OLD[key]);
  const isDocker = valueAt(value, ['environments', 'kind']) === 'docker';
  const replacements = {
    stalenessUpdates:
      old('stalenessVersions') * (isDocker ? UPDATES_PER_VERSION.docker : UPDATES_PER_VERSION.pocket),
    trajectoriesPerBatch: old('trajectoriesPerVersion'),
    trajectoriesAhead: (old('stalenessVersions') + 1) * old('trajectoriesPerVersion'),
  };
  const kept = Object.entries(data).filter(([key]) => !given.includes(key));
  const values = Object.entries(replacements).map(([key, number]) => `'data.${key}': ${number}`);
  return {
    value: { ...value, data: { ...replacements, ...Object.fromEntries(kept) } },
    notices: given.map(key => ({
      path: ['data', key],
      text: `The setting 'data.${key}' was replaced. Dartboard uses ${values.join(', ')}. Write these instead.`,
    })),
  };
}

const isCount = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0;
