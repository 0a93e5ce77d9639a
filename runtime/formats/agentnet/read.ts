// Reads AgentNet: JSON lines with one trajectory each, and the pictures that they name.

import type { Point, Size } from '../../core/screen.ts';
import type { Step } from '../../core/step.ts';
import type { ReadEpisode, ReadItem, ReadOptions, TrajectoryReader } from '../episode.ts';
import { EpisodeError, requireSteps } from '../episode.ts';
import { MAX_TRAJECTORY_TEXT_BYTES } from '../limits.ts';
import { type ForeignScore, outcomeOf } from '../outcome.ts';
import { loadPictures, screenIn } from '../pictures.ts';
import type { SourceFiles, SourceLine } from '../source/source.ts';
import { pointerAfterTurn, stepsOfTurn } from '../steps.ts';
import { checkedJson, jsonIn, parsedLine, parsedText, refusalOf } from '../text.ts';
import { readAgentNetCode } from './code.ts';
import { type AgentNetLine, type AgentNetValue, agentNetLine, mayBeAgentNet } from './line.ts';
import { replyText } from './reply.ts';

export const AGENTNET_READER: TrajectoryReader = {
  format: 'agentnet',
  async read(file, source, options) {
    if (/\.json$/i.test(file)) {
      const value = await jsonIn(file, source);
      return mayBeAgentNet(value) ? items([{ place: file, value }], file, source, options) : undefined;
    }
    if (!/\.jsonl$/i.test(file)) return undefined;
    const lines = source.lines(file, MAX_TRAJECTORY_TEXT_BYTES);
    return (await isAgentNet(source.lines(file, MAX_TRAJECTORY_TEXT_BYTES)))
      ? items(valuesIn(lines, file), file, source, options)
      : undefined;
  },
};

/** By the first line that can be read. */
async function isAgentNet(lines: AsyncIterable<SourceLine>): Promise<boolean> {
  for await (const line of lines) {
    if (line.kind === 'too-long') continue;
    try {
      return mayBeAgentNet(parsedText(line.text));
    } catch {
      // A damaged line among others.
    }
  }
  return false;
}

interface PlacedValue {
  /** The file, and the line if there are several. */
  readonly place: string;
  readonly value: unknown;
}

async function* valuesIn(
  lines: AsyncIterable<SourceLine>,
  file: string,
): AsyncGenerator<PlacedValue | Error> {
  for await (const line of lines) {
    const place = `${file}, line ${line.number}`;
    if (line.kind === 'too-long')
      yield new EpisodeError(`Line ${line.number} exceeds ${MAX_TRAJECTORY_TEXT_BYTES} bytes. Remove it.`);
    else yield valueOr(() => ({ place, value: parsedLine(line.text, line.number) }));
  }
}

function valueOr(read: () => PlacedValue): PlacedValue | Error {
  try {
    return read();
  } catch (error) {
    return new EpisodeError(refusalOf(error));
  }
}

async function* items(
  values: AsyncIterable<PlacedValue | Error> | Iterable<PlacedValue | Error>,
  file: string,
  source: SourceFiles,
  options: ReadOptions,
): AsyncGenerator<ReadItem> {
  for await (const found of values) {
    if (found instanceof Error) {
      yield { kind: 'refused', file, why: found.message };
      continue;
    }
    const { place, value } = found;
    try {
      const line = checkedJson(agentNetLine, value, 'a trajectory of AgentNet');
      yield { kind: 'episode', file: place, episode: await episodeOf(line, file, source, options) };
    } catch (error) {
      yield { kind: 'refused', file: place, why: refusalOf(error) };
    }
  }
}

async function episodeOf(
  line: AgentNetLine,
  file: string,
  source: SourceFiles,
  { screen: otherwise, instructionOf }: ReadOptions,
): Promise<ReadEpisode> {
  const { task_id: task, traj, dartboard } = line;
  const references = [...traj.map(({ image }) => image ?? undefined), dartboard?.final];
  const loaded = await loadPictures(references, file, source, { atRoot: true });
  const screen = screenIn(loaded.pictures, otherwise);
  const steps: Step[] = [];
  const pictures: Uint8Array[] = [];
  let pointer: Point | undefined;
  for (const [index, { value }] of traj.entries()) {
    const picture = loaded.pictures[index];
    if (picture !== undefined) pictures[steps.length] = picture;
    const made = stepsOf(value, screen, pointer);
    pointer = made.pointer;
    requireSteps(steps.length + made.steps.length);
    steps.push(...made.steps);
  }
  const final = loaded.pictures[traj.length];
  if (final !== undefined) pictures[steps.length] = final;
  return {
    task,
    seed: dartboard?.seed ?? 0,
    instruction: [line.instruction, line.natural_language_task, instructionOf(task)].find(each => each) ?? '',
    steps,
    pictures: Array.from(pictures, each => each ?? new Uint8Array()),
    outcome: outcomeOf(scoreOf(line), steps.at(-1)?.action),
    mode: dartboard?.mode ?? 'screenshot',
    ...(dartboard !== undefined && {
      purpose: dartboard.purpose,
      startedAt: dartboard.startedAt,
      endedAt: dartboard.endedAt,
    }),
    ...(dartboard?.id !== undefined && { original: dartboard.id }),
    notes: loaded.notes,
  };
}

function stepsOf(
  { code, observation, thought, action }: AgentNetValue,
  screen: Size,
  pointer: Point | undefined,
): { readonly steps: readonly Step[]; readonly pointer: Point | undefined } {
  const program = code ?? '';
  const reading = readAgentNetCode(program, screen, pointer);
  const plain = (text: string | null | undefined): string => text?.trim() ?? '';
  const texts = { observation: plain(observation), thought: plain(thought), action: plain(action) };
  const hasWords = Object.values(texts).some(text => text !== '');
  return {
    steps: stepsOfTurn({
      raw: hasWords || reading.kind === 'unreadable' ? replyText(texts, program) : '',
      thought: texts.thought,
      reading,
    }),
    pointer: pointerAfterTurn(reading, pointer),
  };
}

function scoreOf({ task_completed: completed, dartboard }: AgentNetLine): ForeignScore {
  if (dartboard?.score !== undefined)
    return { kind: 'score', score: dartboard.score, why: 'The line has this score.' };
  if (completed === undefined || completed === null)
    return { kind: 'none', why: "The line has no 'task_completed', so the score is unknown." };
  return { kind: 'score', score: Number(completed), why: `The line has 'task_completed': ${completed}.` };
}
