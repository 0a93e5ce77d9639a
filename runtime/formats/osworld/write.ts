// Writes an episode in the folder layout of OSWorld's results, which its script `show_result.py` reads. Pure.

import { posix } from 'node:path';
import type { Trajectory } from '../../core/trajectory.ts';
import { frameName, keptOf, LINES_NAME, linesOf } from '../../data/files/lines.ts';
import { UNFINISHED } from '../../data/files/places.ts';
import { fileNameOf } from '../file-name.ts';
import { requireSteps, type TrajectoryWriter, utf8, type WrittenFile } from '../written-files.ts';
import { ABOUT_NAME, ACTION_SPACE, aboutText, RESULT_NAME } from './layout.ts';

export interface OsworldPlace {
  readonly trajectory: Trajectory;
  /** The name of the agent, in the place of the model. */
  readonly agent: string;
  readonly domain: string;
}

/** The folder of an episode below the folder of the results. */
export function osworldFolder({ trajectory, agent, domain }: OsworldPlace): string {
  const { task, seed } = trajectory.instance;
  return posix.join(
    ACTION_SPACE,
    trajectory.mode,
    fileNameOf(agent),
    fileNameOf(domain),
    `${fileNameOf(task)}-${seed}`,
  );
}

export interface OsworldEpisode extends OsworldPlace {
  /** As PNGs: one more than there are steps, unless the last step broke. An empty one is missing. */
  readonly pictures: readonly Uint8Array[];
}

/** The files of an episode. The last one makes it complete. */
export function osworldFiles(episode: OsworldEpisode): readonly WrittenFile[] {
  const { trajectory, pictures } = episode;
  const { outcome } = trajectory;
  const folder = osworldFolder(episode);
  const kept = keptOf({ ...trajectory, frames: { kind: 'png', images: pictures } });
  const file = (name: string, bytes: Uint8Array): WrittenFile => ({ place: `${folder}/${name}`, bytes });
  return [
    ...pictures.flatMap((picture, index) => (picture.length === 0 ? [] : [file(frameName(index), picture)])),
    file(ABOUT_NAME, utf8(aboutText(trajectory))),
    file(LINES_NAME, utf8(linesOf({ ...kept, steps: kept.steps.map(withoutObservation) }))),
    // Last: its existence means that the episode is complete. A broken episode has none, because an average of results must not contain
    // a 0 for it.
    ...(outcome.kind === 'judged' ? [file(RESULT_NAME, utf8(`${outcome.verdict.score}\n`))] : []),
  ];
}

/** The layout has no file for it. */
const withoutObservation = ({
  observation: _,
  ...step
}: Trajectory['steps'][number]): Trajectory['steps'][number] => step;

/** The name of the model for a trajectory without an agent: tools average the results below it. */
const PLAYERS: Readonly<Record<Trajectory['provenance']['kind'], string>> = {
  rollout: 'compact',
  oracle: 'scripted',
  human: 'human',
  imported: 'imported',
  hindsight: 'hindsight',
};

/** Several episodes of an instance get folders of their own: the second has the id of its trajectory. */
export const writeOsworld =
  (written: Set<string>): TrajectoryWriter =>
  (trajectory, pictures, { domainOf }) => {
    requireSteps(trajectory);
    const agent = trajectory.agent ?? trajectory.run ?? PLAYERS[trajectory.provenance.kind];
    const episode = { trajectory, pictures, agent, domain: domainOf(trajectory) };
    const folder = osworldFolder(episode);
    const isFirst = !written.has(folder);
    written.add(folder);
    const files = osworldFiles(episode);
    if (isFirst) return { files, lines: [] };
    const own = `${folder}-${trajectory.id}`;
    return {
      files: files.map(({ place, bytes }) => ({ place: place.replace(folder, own), bytes })),
      lines: [],
    };
  };

/** Names of files of an episode, of this version or an earlier one: an evaluation that is repeated replaces them, and those that it did not finish. */
export function isOsworldFile(name: string): boolean {
  const finished = name.endsWith(UNFINISHED) ? name.slice(0, -UNFINISHED.length) : name;
  return [RESULT_NAME, LINES_NAME, ABOUT_NAME].includes(finished) || /^step_\d+\.png$/.test(finished);
}
