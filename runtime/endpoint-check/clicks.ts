// Plays one turn on each test screen with the agent, as an episode would, and records where the click landed.

import { sentSize } from '../agents/model/frame.ts';
import type { Profile } from '../agents/model/profile.ts';
import type { Agent } from '../core/agent.ts';
import type { Mode } from '../core/policy.ts';
import type { Random } from '../core/rng.ts';
import type { Box, Point, Size } from '../core/screen.ts';
import type { ReplyDefect } from '../core/trace.ts';
import { type EndpointCause, EndpointError } from '../endpoints/failure.ts';
import { causeOf } from './cause.ts';
import { clickOf, numbersIn } from './numbers.ts';
import { inParallel } from './parallel.ts';
import { INSTRUCTION, type TestScreen } from './screens.ts';

export interface ClickSample {
  readonly group: string;
  readonly side?: number;
  readonly screen: Size;
  readonly sent: Size;
  readonly target: Box;
  readonly outcome: ClickOutcome;
  /** Absent if there was no reply. */
  readonly reply?: SampledReply;
}

interface FailedTurn {
  readonly kind: 'failed';
  readonly why: string;
  /** Absent if it failed before a request. */
  readonly reason?: EndpointCause;
}

export type ClickOutcome =
  | { readonly kind: 'clicked'; readonly at: Point }
  /** A readable reply with another action. */
  | { readonly kind: 'other'; readonly action: string }
  | { readonly kind: 'malformed'; readonly why: string }
  /** The request failed. */
  | FailedTurn;

export interface SampledReply {
  readonly raw: string;
  /** The two numbers of the click, if the reply names a place. */
  readonly numbers?: Point;
  readonly isCut: boolean;
  readonly defects: readonly ReplyDefect[];
  readonly latencyMs: number;
}

export interface ClickOptions {
  readonly agent: Agent;
  readonly profile: Profile;
  readonly mode: Mode;
  readonly random: Random;
  readonly signal: AbortSignal;
  /** The number of turns at a time. */
  readonly concurrency: number;
  /** Called after each turn. */
  readonly played: () => void;
}

export const playClicks = (
  screens: readonly TestScreen[],
  options: ClickOptions,
): Promise<readonly ClickSample[]> =>
  inParallel(screens, options.concurrency, async (test, index) => {
    const { group, side, size, target } = test;
    const sample = {
      ...{ group, screen: size, target, ...(side !== undefined && { side }) },
      sent: options.mode === 'a11y_tree' ? size : sentSize(options.profile.resize, size),
      ...(await playTurn(test, index, options)),
    };
    options.played();
    return sample;
  });

async function playTurn(
  test: TestScreen,
  index: number,
  { agent, profile, mode, random, signal }: ClickOptions,
): Promise<Pick<ClickSample, 'outcome' | 'reply'>> {
  const session = agent.begin({
    ...{
      episode: `check-${index}`,
      instruction: INSTRUCTION,
      mode,
      maxSteps: 1,
      temperature: 0,
      exploration: 0,
    },
    ...{ random: random.fork(`${index}`), signal },
  });
  try {
    const { actions, trace } = await session.next(test.draw());
    if (trace.kind !== 'tokens') throw new TypeError(`The agent '${agent.id}' is no model agent.`);
    const { raw, malformed, finish, defects, served } = trace;
    const numbers = numbersIn(raw, profile.id);
    const { action } = actions[0];
    const at = clickOf(action);
    const outcomeOf = (): ClickOutcome => {
      if (malformed !== undefined) return { kind: 'malformed', why: malformed };
      return at === undefined ? { kind: 'other', action: action.kind } : { kind: 'clicked', at };
    };
    return {
      outcome: outcomeOf(),
      reply: {
        ...{ raw, isCut: finish === 'length', defects, latencyMs: served.latencyMs },
        ...(numbers !== undefined && { numbers }),
      },
    };
  } catch (error) {
    signal.throwIfAborted();
    const reason = error instanceof EndpointError ? error.reason : undefined;
    return { outcome: { kind: 'failed', why: causeOf(error), ...(reason !== undefined && { reason }) } };
  } finally {
    session.close();
  }
}
