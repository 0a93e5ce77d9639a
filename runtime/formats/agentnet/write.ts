// Writes a trajectory as a line of AgentNet, with its pictures in the folder `images`. Pure.

import { ActionFormatError } from '../../agents/codecs/codec.ts';
import { actionInWords } from '../../agents/model/conversation.ts';
import { pointerAfter } from '../../core/action.ts';
import type { Point, Size } from '../../core/screen.ts';
import type { Trajectory } from '../../core/trajectory.ts';
import { isSuccess } from '../../core/verdict.ts';
import { screenIn } from '../pictures.ts';
import { refusedStep, type StoredTurn, singly, turnsOf } from '../steps.ts';
import { requireSteps, type TrajectoryWriter, WriteRefusal, type WrittenFile } from '../written-files.ts';
import { writeAgentNetCode } from './code.ts';
import type { WrittenAgentNetLine } from './line.ts';
import { textsOf } from './reply.ts';

const FILE = 'agentnet.jsonl';
const IMAGES = 'images';

export const writeAgentNet: TrajectoryWriter = (trajectory, pictures, { screen, isChanged = false }) => {
  requireSteps(trajectory);
  const { id, instance, instruction, outcome, purpose, mode, startedAt, endedAt } = trajectory;
  const turns = codedTurns(trajectory, screenIn(pictures, screen));
  const nameAt = (step: number): string | undefined =>
    (pictures[step]?.length ?? 0) > 0 ? `${id}_${step}.png` : undefined;
  const final = nameAt(trajectory.steps.length);
  const line: WrittenAgentNetLine = {
    task_id: instance.task,
    instruction,
    ...(outcome.kind === 'judged' && { task_completed: isSuccess(outcome) }),
    traj: turns.map(({ turn, code }, index) => ({
      index,
      image: nameAt(turn.at) ?? null,
      value: valueFor(turn, code),
    })),
    dartboard: {
      ...(!isChanged && { id }),
      ...{ seed: instance.seed, purpose, mode, startedAt, endedAt },
      ...(outcome.kind === 'judged' && { score: outcome.verdict.score }),
      ...(final !== undefined && { final }),
    },
  };
  const steps = [...turns.map(({ turn }) => turn.at), trajectory.steps.length];
  const files = steps.flatMap((step): readonly WrittenFile[] => {
    const [name, bytes] = [nameAt(step), pictures[step]];
    return name === undefined || bytes === undefined ? [] : [{ place: `${IMAGES}/${name}`, bytes }];
  });
  return { files, lines: [{ place: FILE, text: JSON.stringify(line) }] };
};

interface CodedTurn {
  readonly turn: StoredTurn;
  readonly code: string;
}

function codedTurns({ steps }: Trajectory, screen: Size): readonly CodedTurn[] {
  let pointer: Point | undefined;
  return turnsOf(steps).flatMap(turn => {
    const coded = codedOrSplit(turn, screen, pointer);
    for (const action of turn.actions) pointer = pointerAfter(action) ?? pointer;
    return coded;
  });
}

function codedOrSplit(turn: StoredTurn, screen: Size, pointer: Point | undefined): readonly CodedTurn[] {
  try {
    const code = writeAgentNetCode(turn, screen, pointer);
    if (code !== undefined) return [{ turn, code }];
    return singly(turn).map(each => ({
      turn: each,
      code: writeAgentNetCode(each, screen, pointer) ?? refuse(each),
    }));
  } catch (error) {
    if (!(error instanceof ActionFormatError)) throw error;
    throw new WriteRefusal(
      `Step ${refusedStep(turn, error)} cannot be written as code of AgentNet: ${error.reason}. Export it as osworld, which holds every action.`,
    );
  }
}

const refuse = ({ actions: [action] }: StoredTurn): never => {
  throw new ActionFormatError('agentnet', action, `the code reads as another action than ${action.kind}`);
};

function valueFor(
  { reply, actions }: StoredTurn,
  code: string,
): WrittenAgentNetLine['traj'][number]['value'] {
  const { observation, thought, action } = textsOf(reply);
  const words = action === '' ? actions.map(each => actionInWords(each)).join(', then ') : action;
  return {
    ...(observation !== '' && { observation }),
    ...(thought !== '' && { thought }),
    // A step without a reply has no words of its own.
    ...((reply !== undefined || code === '') && { action: words }),
    code,
  };
}
