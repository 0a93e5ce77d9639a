// Groups runs with one configuration into arms, names the arms, and lists the settings in which they differ. Pure.

import { leavesOf, pathText, type SettingPath, valueAt } from '../config/leaves.ts';
import type { ArmSummary, SettingDifference } from './comparison.ts';
import type { RecordedRun, RecordedSide } from './record.ts';

export interface ComparedArm {
  readonly letter: string;
  readonly name: string;
  /** At least one. An evaluation is an arm of its own. */
  readonly sides: readonly [RecordedSide, ...RecordedSide[]];
}

/** The runs of the same seed differ by chance too, so the seed forms no arms. */
const SEED = 'seed';
/** With more differences than these, a name has those of the presets alone. */
const MAX_NAMED = 2;
const PRESETS = ['from', 'agent', 'curation.preset', 'preset', 'mode', 'environments.kind'];
const MAX_NAME_LENGTH = 48;

/** In the order of their first run. */
export function armsOf(sides: readonly RecordedSide[]): readonly ComparedArm[] {
  const groups = new Map<string, [RecordedSide, ...RecordedSide[]]>();
  for (const side of sides) {
    const key = keyOf(side);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [side]);
    else group.push(side);
  }
  const all = [...groups.values()];
  const names = namesOf(all.map(([first]) => first));
  return all.map((each, index) => ({
    ...{ letter: letterOf(index), sides: each },
    name: names[index] ?? each[0].name,
  }));
}

export const summaryOfArm = ({ letter, name, sides }: ComparedArm): ArmSummary => ({
  ...{ letter, name },
  kind: sides[0].kind === 'evaluation' ? 'evaluation' : 'runs',
  members: sides.map(side => side.name),
});

/** The runs of an arm; none of an evaluation. */
export const runsOf = ({ sides }: ComparedArm): readonly RecordedRun[] =>
  sides.flatMap(side => (side.kind === 'run' ? [side] : []));

/** Settings whose values differ between arms, in the order of the configuration. The seed is none of them. */
export function settingDifferences(arms: readonly ComparedArm[]): readonly SettingDifference[] {
  const settings = arms.map(arm => settingsOf(runsOf(arm)[0]?.config));
  return differingPaths(settings).map(path => ({
    path,
    values: settings.map(each => each?.get(path)),
  }));
}

function keyOf(side: RecordedSide): string {
  const settings = side.kind === 'run' ? settingsOf(side.config) : undefined;
  if (side.kind === 'evaluation' || settings === undefined) return `${side.kind} ${side.name}`;
  // A run from a checkpoint is no seed of a run from random weights, or from another checkpoint.
  return JSON.stringify([side.from ?? null, ...[...settings].sort(([a], [b]) => (a < b ? -1 : 1))]);
}

/** A JSON text per path, without the seed, and without agents that do not play in the run: they have no effect on it. */
function settingsOf(config: object | undefined): ReadonlyMap<string, string> | undefined {
  if (config === undefined) return undefined;
  const agent = valueAt(config, ['agent']);
  const isIdle = (path: SettingPath): boolean => path[0] === 'agents' && path[1] !== agent;
  const leaves = leavesOf(config)
    .filter(({ path }) => !isIdle(path))
    .map(({ path, value }) => [pathText(path), JSON.stringify(value)] as const);
  return new Map(leaves.filter(([path]) => path !== SEED));
}

/** As a setting of the run, for the name of its arm. */
function withStart({ config, from }: RecordedRun): ReadonlyMap<string, string> | undefined {
  const settings = settingsOf(config);
  return settings && new Map([['from', startName(from)], ...settings]);
}

/** 'RUN 900' of RUN/checkpoints/checkpoint-900.safetensors; the name of any other file. */
function startName(from: string | undefined): string {
  if (from === undefined) return 'scratch';
  const [file = '', , run = ''] = from.split(/[\\/]/).toReversed();
  const number = /^checkpoint-(\d+)\.safetensors$/.exec(file)?.[1];
  return number === undefined ? file : `${run} ${number}`;
}

function differingPaths(settings: readonly (ReadonlyMap<string, string> | undefined)[]): readonly string[] {
  const known = settings.flatMap(each => each ?? []);
  const paths = [...new Set(known.flatMap(each => [...each.keys()]))];
  return paths.filter(path => new Set(known.map(each => each.get(path))).size > 1);
}

/** One name per arm, all different. */
function namesOf(firsts: readonly RecordedSide[]): readonly string[] {
  const settings = firsts.map(side => (side.kind === 'run' ? withStart(side) : undefined));
  const differing = differingPaths(settings);
  const presets = PRESETS.filter(path => differing.includes(path));
  const used =
    differing.length <= MAX_NAMED || presets.length === 0 ? differing.slice(0, MAX_NAMED) : presets;
  const names = firsts.map((side, index) => {
    if (side.kind === 'evaluation') return `agent ${side.agent}`;
    const own = settings[index];
    if (own === undefined) return side.name;
    const parts = used.map(path => `${keyIn(path)} ${plain(own.get(path))}`);
    return parts.length === 0 ? `preset ${side.about?.preset ?? side.name}` : shortened(parts.join(', '));
  });
  return names.map((name, index) =>
    names.filter(other => other === name).length > 1 ? (firsts[index]?.name ?? name) : name,
  );
}

/** 'curation' of 'curation.preset', since 'preset grpo' would not say what it sets. */
const keyIn = (path: string): string => path.replace(/\.(preset|kind)$/, '').replace(/^.*\./, '');

/** Texts without quotes. */
const plain = (json: string | undefined): string => (json ?? 'none').replace(/^"(.*)"$/, '$1');

const shortened = (name: string): string =>
  name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH - 1)}…` : name;

/** A to Z, then A1, B1, … */
const letterOf = (index: number): string =>
  `${String.fromCharCode(65 + (index % 26))}${index < 26 ? '' : Math.floor(index / 26)}`;
