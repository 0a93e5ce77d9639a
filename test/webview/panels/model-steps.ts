// The steps of a language model for tests of the panels: every trajectory has one reply of a special kind.

import type { Action } from '../../../runtime/core/action.ts';
import type { Random } from '../../../runtime/core/rng.ts';
import type { Element } from '../../../runtime/core/screen.ts';
import type { ReplyDetail } from '../../../runtime/protocol/daemon/reply.ts';
import type { StepDetail, TrajectoryRow } from '../../../runtime/protocol/daemon/trajectories.ts';
import { inWords, targetOf } from './action-words.ts';
import { type ReplyKind, replyTo } from './replies.ts';

/** The kinds of replies of consecutive trajectories. Each trajectory has one such reply. */
const REPLY_KINDS: readonly ReplyKind[] = [
  'plain',
  'malformed',
  'no log-probabilities',
  'defects and retries',
  'long',
  'split characters',
  'cut',
];

/** The step with the reply of its kind. */
const KIND_STEP = 1;

const MALFORMED: ReadonlySet<ReplyKind> = new Set(['malformed', 'cut']);

export const replyKindOf = (id: string): ReplyKind =>
  REPLY_KINDS[Number(id.split('-')[1]) % REPLY_KINDS.length] ?? 'plain';

export interface DoneAction {
  readonly action: Action;
  readonly elements: readonly Element[];
  readonly random: Random;
}

/** In a 'plain' trajectory, the reply of the step has two actions. */
export function modelSteps(done: readonly DoneAction[], id: string): StepDetail[] {
  const kind = replyKindOf(id);
  return done.flatMap(({ action, elements, random }, at): StepDetail[] => {
    const target = inWords(action, targetOf(action, elements)).replace(/^\S+ ?/, '') || 'the window';
    const step = { action, says: inWords(action, undefined), meant: [] };
    const by = (own: ReplyKind, actions: readonly Action[]) =>
      chosenBy(replyTo(actions, { kind: own, target, random }));
    if (kind === 'plain' && at === KIND_STEP + 1)
      return [{ ...step, chosen: { version: 0, decisions: [], continues: true } }];
    if (at !== KIND_STEP)
      return [{ ...step, chosen: by(kind === 'no log-probabilities' ? kind : 'plain', [action]) }];
    const next = done[at + 1];
    if (kind === 'plain' && next !== undefined) return [{ ...step, chosen: by(kind, [action, next.action]) }];
    if (!MALFORMED.has(kind)) return [{ ...step, chosen: by(kind, [action]) }];
    const chosen = by(kind, [action]);
    const unread: StepDetail = {
      action: { kind: 'none', why: chosen.reply.malformed ?? '' },
      says: 'do nothing: the reply has no readable action',
      meant: [],
      chosen,
    };
    return [unread, { ...step, chosen: by('plain', [action]) }];
  });
}

function chosenBy(reply: ReplyDetail) {
  const { tokens } = reply;
  const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;
  return {
    ...{ version: 0, decisions: [], reply },
    ...(tokens.length > 0 && {
      probability: Math.exp(mean(tokens.map(({ probability = 1 }) => Math.log(probability)))),
      uncertainty: mean(tokens.map(({ entropy = 0 }) => entropy)),
    }),
  };
}

/** A malformed reply is one more step, which changes nothing on the screen. */
export const pictureOfStep = (id: string, step: number): number =>
  MALFORMED.has(replyKindOf(id)) && step > KIND_STEP ? step - 1 : step;

export const usageOf = (replies: readonly ReplyDetail[]): NonNullable<TrajectoryRow['usage']> => {
  const sum = (of: (served: ReplyDetail['served']) => number | undefined) =>
    replies.reduce((total, { served }) => total + (of(served) ?? 0), 0);
  return {
    promptTokens: sum(({ promptTokens }) => promptTokens),
    completionTokens: sum(({ completionTokens }) => completionTokens),
    latencyMs: sum(({ latencyMs }) => latencyMs),
    cost: sum(({ cost }) => cost),
  };
};

/** The first trajectory of a language model with this kind of reply and at least four steps. */
export function findReply(
  library: {
    readonly ids: readonly string[];
    row(id: string): Pick<TrajectoryRow, 'agent'>;
    detail(id: string): { readonly each: readonly StepDetail[] };
  },
  kind: ReplyKind,
): { readonly id: string; readonly step: number } {
  const id = library.ids.find(
    each =>
      replyKindOf(each) === kind &&
      library.row(each).agent !== undefined &&
      library.detail(each).each.length >= 4,
  );
  if (id === undefined) throw new RangeError(`The library has no reply of the kind '${kind}'.`);
  return { id, step: KIND_STEP };
}
