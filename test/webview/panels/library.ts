// A library of trajectories for tests: tasks of the pocket desktop, with screens of their scripted solutions. The decisions are
// generated from a seed, so that every test and every screenshot shows the same.

import type { Action } from '../../../runtime/core/action.ts';
import { type Random, seeded } from '../../../runtime/core/rng.ts';
import type { Element } from '../../../runtime/core/screen.ts';
import { startOf } from '../../../runtime/environments/pocket/getters.ts';
import { POCKET, type Solution, solutionOf } from '../../../runtime/environments/pocket/tasks/suite.ts';
import type {
  DecisionDetail,
  StepDetail,
  TrajectoryDetail,
  TrajectoryRow,
} from '../../../runtime/protocol/daemon/trajectories.ts';
import { picturesOf, type RedrawnPicture } from '../../../runtime/server/frames/redraw.ts';
import { playedState, STARTED } from '../../server/played-state.ts';
import { called, inWords, targetOf } from './action-words.ts';
import { modelSteps, pictureOfStep, usageOf } from './model-steps.ts';

export const RUN = playedState(0).run;
const GROUP = 8;
/** Of a task, for several agents. */
const INSTANCES = 8;
const THRESHOLD = 0.32;
const KINDS = ['click', 'type', 'double click', 'scroll', 'press a key', 'finish'];
const HARD: readonly number[] = [0, 0.85, 0.65, 0.4, 0.2];

interface Instance {
  readonly solution: Solution;
  readonly pictures: readonly RedrawnPicture[];
}

export class TrajectoryLibrary {
  readonly #count: number;
  /** The built-in agent is the first. */
  readonly #agents: readonly (string | undefined)[];
  readonly #instances = new Map<string, Instance>();
  readonly #rows = new Map<string, TrajectoryRow>();
  readonly #tasks = POCKET.tasks('train');

  /** With names of language models, these and the built-in agent play each instance once, as an evaluation. */
  constructor(count: number, agents: readonly string[] = []) {
    this.#count = count;
    this.#agents = [undefined, ...agents];
  }

  get ids(): readonly string[] {
    return Array.from({ length: this.#count }, (_, index) => idOf(index));
  }

  row(id: string): TrajectoryRow {
    const known = this.#rows.get(id);
    if (known !== undefined) return known;
    const made = this.#made(id);
    this.#rows.set(id, made);
    return made;
  }

  #made(id: string): TrajectoryRow {
    const index = Number(id.split('-')[1]);
    if (!(index < this.#count)) throw new RangeError(`There is no trajectory '${id}'.`);
    const random = seeded(id);
    const players = this.#agents.length;
    const agent = this.#agents[index % players];
    // Alone, an agent plays groups; several agents play each instance once.
    const group = players === 1 ? Math.floor(index / GROUP) : Math.floor(index / players / INSTANCES);
    const instance = players === 1 ? group % 32 : Math.floor(index / players) % INSTANCES;
    // The tiers alternate, so that every list has all of them.
    const task = this.#tasks[(group * 7) % this.#tasks.length] ?? '';
    const { tier = 1 } = POCKET.template(task);
    const isBroken = random.next() < 0.01;
    const isSolved = random.next() < (HARD[tier] ?? 0) + (agent === undefined ? 0 : 0.12);
    const max = 0.15 + 0.8 * random.next();
    const oldest = Math.floor(index / 5);
    const endedAt = STARTED + index * 137;
    return {
      trajectory: id,
      run: RUN,
      ...(players === 1 && { group: `group-${group}` }),
      task,
      tier,
      seed: instance,
      instruction: POCKET.task(task, POCKET.seed('train', instance)).instruction,
      purpose: players === 1 ? 'train' : 'evaluate',
      provenance: 'rollout',
      mode: 'screenshot_a11y_tree',
      ...(agent !== undefined && {
        agent,
        usage: { promptTokens: 21_400, completionTokens: 310, latencyMs: 9100, cost: 0.031 },
      }),
      outcome: isBroken ? 'broken' : isSolved ? 'success' : 'failure',
      ...(!isBroken && { ending: 'finished' as const, score: isSolved ? 1 : 0 }),
      steps: 2 + random.int(tier * 3),
      // Of a language model in nats.
      meanUncertainty: max * (agent === undefined ? 0.6 : 0.4),
      maxUncertainty: max * (agent === undefined ? 1 : 1.6),
      ...(agent === undefined ? { oldest, newest: oldest + random.int(3) } : { oldest: 0, newest: 0 }),
      startedAt: endedAt - 4000,
      endedAt,
      bytes: 2400,
      marked: { keySteps: [] },
    };
  }

  detail(id: string): TrajectoryDetail {
    const row = this.row(id);
    const { solution, pictures } = this.#instance(row);
    const ending: Action =
      solution.ending === 'fail' ? { kind: 'fail', why: '' } : { kind: 'finished', answer: '' };
    const done = [...solution.actions, ending].map((action, at) => ({
      action,
      elements: pictures[at]?.elements ?? [],
      random: seeded(`${id} ${at}`),
    }));
    const each =
      row.agent === undefined
        ? done.map(({ action, elements, random }) => stepOf(action, elements, random, row.oldest ?? 0))
        : modelSteps(done, id);
    const first = Math.floor(Number(id.split('-')[1]) / GROUP) * GROUP;
    const siblings = Array.from({ length: GROUP }, (_, index) => this.row(idOf(first + index)));
    const replies = each.flatMap(({ chosen }) => chosen?.reply ?? []);
    return {
      ...row,
      steps: each.length,
      ...(replies.length > 0 && { usage: usageOf(replies) }),
      maxSteps: 2 * each.length,
      why: row.outcome === 'failure' ? 'The name is still the old one.' : 'Everything is as it should be.',
      frames: { kind: 'redrawn', count: each.length + 1 },
      each,
      siblings: siblings.map(({ trajectory, outcome, steps, endedAt }) => ({
        trajectory,
        outcome,
        steps,
        endedAt,
      })),
      said: [],
    };
  }

  /** The final action changes nothing, so its screen is the previous one. */
  picture(id: string, step: number): Uint8Array {
    const { pictures } = this.#instance(this.row(id));
    const image = pictures[Math.min(this.#pictureOf(id, step), pictures.length - 1)]?.image;
    if (image === undefined) throw new RangeError(`'${id}' has no step ${step}.`);
    return image;
  }

  elements(id: string, step: number): readonly Element[] {
    const { pictures } = this.#instance(this.row(id));
    return pictures[Math.min(this.#pictureOf(id, step), pictures.length - 1)]?.elements ?? [];
  }

  #pictureOf(id: string, step: number): number {
    return this.row(id).agent === undefined ? step : pictureOfStep(id, step);
  }

  #instance({ task, seed }: TrajectoryRow): Instance {
    const key = `${task} ${seed}`;
    const known = this.#instances.get(key);
    if (known !== undefined) return known;
    const number = POCKET.seed('train', seed);
    const given = POCKET.task(task, number);
    const solution = solutionOf(POCKET, given, number);
    const made = { solution, pictures: [...picturesOf(startOf(given).machine, solution.actions)] };
    this.#instances.set(key, made);
    return made;
  }
}

const idOf = (index: number): string => `t-${String(index).padStart(6, '0')}`;

function stepOf(action: Action, elements: readonly Element[], random: Random, oldest: number): StepDetail {
  const meant = targetOf(action, elements);
  const sure = 0.35 + 0.6 * random.next();
  const others = elements.filter(element => element !== meant && element.name !== '').slice(-5);
  const decisions: DecisionDetail[] = [
    decision('kind', KINDS.length, action.kind.replace('_', ' '), KINDS, 0.6 + 0.39 * random.next()),
  ];
  if (meant !== undefined) {
    const pointer = decision('pointer', elements.length, called(meant), others.map(called), sure);
    const boxes = [meant, ...others].map(({ box }) => box);
    decisions.push({
      ...pointer,
      alternatives: pointer.alternatives.map((each, index) => ({ ...each, box: boxes[index] ?? meant.box })),
    });
  }
  const uncertainty = 0.9 * (1 - sure) + 0.1 * random.next();
  return {
    action,
    says: inWords(action, meant),
    meant: meant === undefined ? [] : [meant.box],
    chosen: {
      version: oldest,
      probability: decisions.reduce((product, { probability }) => product * probability, 1),
      uncertainty,
      decisions,
    },
    training: {
      batch: 'batch-1',
      uncertainty,
      threshold: THRESHOLD,
      kept: uncertainty >= THRESHOLD,
      advantage: 1.2 * random.next() - 0.5,
    },
  };
}

function decision(
  head: string,
  choices: number,
  chosen: string,
  others: readonly string[],
  probability: number,
): DecisionDetail {
  const rest = others.filter(label => label !== chosen).slice(0, 5);
  const shares = rest.map((_, index) => (1 - probability) * 0.55 * 0.5 ** index);
  const entropy = -[probability, ...shares].reduce((sum, each) => sum + each * Math.log(each), 0);
  return {
    head,
    choices,
    probability,
    entropy,
    uncertainty: Math.min(1, entropy / Math.log(Math.max(2, choices))),
    alternatives: [
      { label: chosen, probability, isChosen: true },
      ...rest.map((label, index) => ({ label, probability: shares[index] ?? 0, isChosen: false })),
    ],
  };
}
