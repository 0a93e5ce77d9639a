// Plays one instruction with an agent, and reports each turn: its actions in words, and the trace of the reply.

import { pointsOf } from '../core/action.ts';
import type { Agent, Turn, TurnAction } from '../core/agent.ts';
import { desktopId } from '../core/ids.ts';
import type { Mode } from '../core/policy.ts';
import type { Random } from '../core/rng.ts';
import { orUndefinedWhenAborted } from '../core/run-together.ts';
import {
  type Box,
  copyPixels,
  type Element,
  elementAt,
  type Pixels,
  type Point,
  type Screen,
} from '../core/screen.ts';
import type { Instance } from '../core/task.ts';
import type { Trace } from '../core/trace.ts';
import { type Ending, isSuccess } from '../core/verdict.ts';
import { Episode } from '../rollout/episode.ts';
import { actionInWords, quoted } from './action-words.ts';
import type { DesktopSession } from './desktop-session.ts';

export interface AttemptTurn {
  /** What the agent did, in order: 'click button "New"'. */
  readonly sentences: readonly string[];
  /** The targets of the pointer. */
  readonly boxes: readonly Box[];
  /** Before the first action. */
  readonly screen: Pixels;
  readonly trace: Trace;
}

export interface AgentAttempt {
  readonly instruction: string;
  readonly turns: readonly AttemptTurn[];
  readonly last: Pixels;
  /** Undefined if it was stopped. */
  readonly ending?: Ending;
  /** As in Attempt. */
  readonly outcome?: string;
  readonly changes?: readonly string[];
  readonly success?: boolean;
}

export interface AgentAttemptOptions {
  readonly agent: Agent;
  readonly mode: Mode;
  readonly desktops: Pick<DesktopSession, 'suite' | 'make' | 'describe'>;
  readonly instance: Instance;
  /** By default the instruction of the instance. */
  readonly instruction: string | undefined;
  readonly maxSteps: number;
  readonly random: Random;
  /** Ends the attempt after the present action. */
  readonly signal: AbortSignal;
  /** Called before the first turn, with the instruction of the attempt. */
  readonly started: (instruction: string) => void;
  /** Called after each turn. */
  readonly report: (turn: AttemptTurn, number: number) => void;
}

/** Rejects when the desktop or the endpoint fails. */
export async function attemptWithAgent(options: AgentAttemptOptions): Promise<AgentAttempt> {
  const { agent, mode, desktops, instance, maxSteps, random, signal, report } = options;
  const task = desktops.suite.task(instance.task, instance.seed);
  const desktop = await desktops.make(desktopId('attempt'));
  try {
    const episode = await Episode.start(desktop, {
      ...{ task, seed: instance.seed, maxSteps },
      ...(options.instruction !== undefined && { instruction: options.instruction }),
    });
    const { instruction, isJudged } = episode;
    options.started(instruction);
    const session = agent.begin({
      ...{
        episode: `attempt.${instance.task}.${instance.seed}`,
        instruction,
        mode,
        maxSteps,
        random,
        signal,
      },
      ...{ temperature: 0, exploration: 0 },
    });
    const turns: AttemptTurn[] = [];
    try {
      while (episode.end === undefined) {
        const turn = await nextTurn(() => session.next(episode.screen), signal);
        if (turn === undefined) break;
        const screen = copyPixels(episode.screen.pixels);
        const performed: PerformedAction[] = [];
        for (const action of turn.actions) {
          if (episode.end !== undefined || signal.aborted) break;
          performed.push(inWords(action, episode.screen));
          await episode.act(action.action);
          if (episode.end === undefined) session.acted(action.action, episode.screen);
        }
        if (performed.length === 0) break;
        const played = {
          sentences: performed.map(({ sentence }) => sentence),
          boxes: performed.flatMap(({ boxes }) => boxes),
          ...{ screen, trace: turn.trace },
        };
        turns.push(played);
        report(played, turns.length);
      }
    } finally {
      session.close();
    }
    const { end } = episode;
    return {
      ...{ instruction, turns, last: copyPixels(episode.screen.pixels) },
      ...(await desktops.describe(task, episode.actions, desktop)),
      ...(end !== undefined && { ending: end.ending }),
      ...(end !== undefined && isJudged && { success: isSuccess({ kind: 'judged', ...end }) }),
    };
  } finally {
    await desktop.close();
  }
}

/** Undefined if the attempt was stopped first. */
async function nextTurn(next: () => Promise<Turn>, signal: AbortSignal): Promise<Turn | undefined> {
  if (signal.aborted) return undefined;
  return await orUndefinedWhenAborted(signal, next());
}

interface PerformedAction {
  readonly sentence: string;
  readonly boxes: readonly Box[];
}

function inWords({ action, meant }: TurnAction, { elements = [], pixels }: Screen): PerformedAction {
  const points = pointsOf(action);
  const size = Math.max(6, Math.round(pixels.width / 80));
  return {
    sentence: actionInWords(action, pointing => {
      const point = points[pointing];
      return point === undefined ? 'nothing' : targetInWords(elements, point);
    }),
    boxes: points.map((point, index) => meant[index]?.box ?? boxAround(point, size)),
  };
}

function targetInWords(elements: readonly Element[], point: Point): string {
  const element = elementAt(elements, point);
  if (element === undefined) return `the screen at (${point.x}, ${point.y})`;
  const { role, name, value } = element;
  const label = name === '' ? value : name;
  return label === '' ? `${role} at (${point.x}, ${point.y})` : `${role} ${quoted(label)}`;
}

const boxAround = ({ x, y }: Point, size: number): Box => ({
  ...{ x: x - Math.floor(size / 2), y: y - Math.floor(size / 2) },
  ...{ width: size, height: size },
});
