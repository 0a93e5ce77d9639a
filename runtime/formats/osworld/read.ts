// Reads a result folder of OSWorld: traj.jsonl, result.txt and the screenshots beside it.

import { MODES, type Mode } from '../../core/policy.ts';
import { centre, type Point, type Size } from '../../core/screen.ts';
import type { Step } from '../../core/step.ts';
import { LINES_NAME } from '../../data/files/lines.ts';
import {
  EpisodeError,
  type ReadEpisode,
  type ReadItem,
  type ReadOptions,
  requireSteps,
  type TrajectoryReader,
} from '../episode.ts';
import { MAX_TRAJECTORY_TEXT_BYTES } from '../limits.ts';
import { outcomeOf } from '../outcome.ts';
import { loadPictures, type PictureReference, screenIn } from '../pictures.ts';
import { baseOf, folderOf, foldersAround, joined } from '../source/names.ts';
import { namesInFolder, type SourceFiles } from '../source/source.ts';
import { pointerAfterTurn } from '../steps.ts';
import { checkedJson, jsonIn, parsedLine, refusalOf, scoreOf } from '../text.ts';
import { ABOUT_NAME, type OsworldAbout, osworldAbout, RESULT_NAME } from './layout.ts';
import { screenshotsByStep } from './pictures.ts';
import { type OsworldLine, osworldLine, readLine, textOf } from './step.ts';
import { timeIn } from './time.ts';

export const OSWORLD_READER: TrajectoryReader = {
  format: 'osworld',
  async read(file, source, options) {
    return baseOf(file) === LINES_NAME ? items(file, source, options) : undefined;
  },
};

/** The files that are read with a result beside them, and are no trajectories of their own. */
export const partsOfResults = ({ candidates }: Pick<SourceFiles, 'candidates'>): ReadonlySet<string> =>
  new Set(
    candidates.filter(file => baseOf(file) === LINES_NAME).map(file => joined(folderOf(file), ABOUT_NAME)),
  );

async function* items(file: string, source: SourceFiles, options: ReadOptions): AsyncGenerator<ReadItem> {
  try {
    yield { kind: 'episode', file, episode: await episodeOf(file, source, options) };
  } catch (error) {
    yield { kind: 'refused', file, why: refusalOf(error) };
  }
}

async function episodeOf(file: string, source: SourceFiles, options: ReadOptions): Promise<ReadEpisode> {
  const { lines, problems } = await linesIn(file, source);
  const screenshots = screenshotsByStep(namesInFolder(source, folderOf(file)));
  const screen = await screenOf([...screenshots.values()], source, options.screen);
  const scrollAt = centre({ x: 0, y: 0, ...screen });
  const { steps, references } = stepsIn(lines, screenshots, scrollAt);
  if (steps.length === 0)
    throw new EpisodeError(`It has no step${problems.map(each => `; ${each}`).join('')}. Leave it out.`);
  const { pictures, notes } = await loadPictures(references, file, source);
  const about = await aboutOf(file, source);
  const isOwn = lines.some(({ dartboard }) => dartboard !== undefined);
  const score = await scoreOf(joined(folderOf(file), RESULT_NAME), source);
  const outcome = outcomeOf(score ?? { kind: 'none', why: NO_RESULT }, steps.at(-1)?.action);
  const times = lines.flatMap(({ action_timestamp: at }) =>
    typeof at === 'string' ? (timeIn(at) ?? []) : [],
  );
  return {
    steps,
    pictures,
    ...(about === undefined
      ? {
          ...placed(file, source, options, isOwn),
          ...(times.length > 0 && { startedAt: Math.min(...times), endedAt: Math.max(...times) }),
        }
      : ownFields(about)),
    // The score of result.txt counts, so that a corrected result is imported as such.
    outcome:
      about?.outcome.kind === 'judged' && score?.kind === 'score'
        ? withScore(about.outcome, score.score)
        : outcome,
    notes: [...problems, ...notes],
  };
}

const NO_RESULT = 'There is no result.txt beside traj.jsonl: the episode did not finish.';

const withScore = (outcome: Extract<OsworldAbout['outcome'], { kind: 'judged' }>, score: number) => ({
  ...outcome,
  verdict: outcome.verdict.score === score ? outcome.verdict : { ...outcome.verdict, score },
});

const ownFields = ({
  id,
  instance,
  instruction,
  mode,
  purpose,
  maxSteps,
  agent,
  startedAt,
  endedAt,
}: OsworldAbout) => ({
  ...{ task: instance.task, seed: instance.seed, instruction, mode, purpose, maxSteps, startedAt, endedAt },
  ...(agent !== undefined && { agent }),
  original: id,
});

/** From the names of the folders: …/OBSERVATION_TYPE/MODEL/DOMAIN/TASK/traj.jsonl. */
function placed(file: string, { above }: SourceFiles, { instructionOf }: ReadOptions, isOwn: boolean) {
  const [observation, model, , name = 'trajectory'] = lastFour(foldersAround(above, file));
  // Earlier versions of Dartboard wrote no dartboard.json, but folders TASK-SEED.
  const [, task = name, seed = '0'] = (isOwn && /^(.+)-(\d{1,9})$/.exec(name)) || [];
  const mode: Mode = MODES.find(each => each === observation) ?? 'screenshot';
  return {
    ...{ task, seed: Number(seed), mode, instruction: instructionOf(task) ?? '' },
    // Without the folder of a mode, other names mean other things.
    ...(model !== undefined && MODES.some(each => each === observation) && { agent: model }),
  };
}

const lastFour = (folders: readonly string[]): readonly (string | undefined)[] => {
  const last = folders.slice(-4);
  return [...Array.from({ length: 4 - last.length }, () => undefined), ...last];
};

async function aboutOf(file: string, source: SourceFiles): Promise<OsworldAbout | undefined> {
  const name = joined(folderOf(file), ABOUT_NAME);
  return source.has(name)
    ? checkedJson(osworldAbout, await jsonIn(name, source), `the ${ABOUT_NAME} of a result`)
    : undefined;
}

/** Of the first screenshot. Its content is checked later, with the others. */
async function screenOf([first]: readonly string[], source: SourceFiles, otherwise: Size): Promise<Size> {
  if (first === undefined) return otherwise;
  const { pictures } = await loadPictures([baseOf(first)], first, source);
  return screenIn(pictures, otherwise);
}

interface ResultLines {
  readonly lines: readonly OsworldLine[];
  /** About lines that are no steps: the first of them, and how many more there are. */
  readonly problems: readonly string[];
}

async function linesIn(file: string, source: SourceFiles): Promise<ResultLines> {
  const lines: OsworldLine[] = [];
  const problems: string[] = [];
  let characters = 0;
  for await (const line of source.lines(file, MAX_TRAJECTORY_TEXT_BYTES)) {
    characters += line.kind === 'text' ? line.text.length : 0;
    if (line.kind === 'too-long' || characters > MAX_TRAJECTORY_TEXT_BYTES)
      throw new EpisodeError(
        `Its lines up to line ${line.number} exceed ${MAX_TRAJECTORY_TEXT_BYTES} bytes. Leave it out.`,
      );
    const value = checkedJson(
      osworldLine,
      parsedLine(line.text, line.number),
      `a step in line ${line.number}`,
    );
    if (value.action === undefined && value.dartboard === undefined)
      problems.push(`Line ${line.number} is no step: ${line.text.slice(0, 200)}`);
    else lines.push(value);
    requireSteps(lines.length + problems.length);
  }
  const [first, ...others] = problems;
  if (first === undefined || others.length === 0) return { lines, problems };
  return { lines, problems: [`${first}. The same holds for ${others.length} more lines.`] };
}

function stepsIn(
  lines: readonly OsworldLine[],
  screenshots: ReadonlyMap<number, string>,
  scrollAt: Point,
): { readonly steps: readonly Step[]; readonly references: readonly PictureReference[] } {
  const steps: Step[] = [];
  const references: PictureReference[] = [screenshots.get(0)];
  let pointer: Point | undefined;
  for (const [index, line] of lines.entries()) {
    const before = lines[index - 1];
    const number = line.step_num ?? index + 1;
    const isSameStep = before !== undefined && (before.step_num ?? index) === number;
    const isContinued = isSameStep && textOf(before.response) === textOf(line.response);
    const read = readLine(line, { isContinued, pointer, scrollAt });
    pointer = pointerAfterTurn(read.reading, pointer);
    requireSteps(steps.length + read.steps.length);
    steps.push(...read.steps);
    // The picture of a line shows the screen after all of its actions.
    references[steps.length] = line.screenshot_file ?? (isSameStep ? undefined : screenshots.get(number));
  }
  return { steps, references: Array.from({ length: steps.length + 1 }, (_, index) => references[index]) };
}
