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
