// The compact policy plays the same instances directly and through its endpoint, with the same weights and seeds, and the actions are
// compared. The client keeps the conversation, as an agent harness does; the server keeps nothing.

import { uitars } from '../../agents/codecs/uitars.ts';
import { encode } from '../../agents/compact/observation.ts';
import { ScreenObserver } from '../../agents/compact/screen-observer.ts';
import type { Action } from '../../core/action.ts';
import type { ChatMessage } from '../../core/chat.ts';
import { messageOf } from '../../core/errors.ts';
import { desktopId, seed } from '../../core/ids.ts';
import type { Mode, PolicyPool } from '../../core/policy.ts';
import type { Random } from '../../core/rng.ts';
import { type Instance, stepLimit } from '../../core/task.ts';
import type { ChatModel } from '../../endpoints/chat.ts';
import { PocketDesktop } from '../../environments/pocket/desktop.ts';
import { POCKET } from '../../environments/pocket/tasks/suite.ts';
import { encodePng } from '../../inference/png.ts';
import { COORDINATES } from '../../model-server/observe-conversation.ts';
import { writeScreenPart } from '../../model-server/screen-part.ts';
import { Episode } from '../../rollout/episode.ts';

/** Chooses the next action; the seeds of both ways are the same. */
type Decider = (episode: Episode, seed: number) => Promise<Action>;

export interface PlayedWay {
  readonly score: number;
  readonly actions: readonly Action[];
}

export interface PlayRules {
  readonly mode: Mode;
  readonly temperature: number;
}

export async function playInstance(
  { task: id, seed: instanceSeed }: Instance,
  random: Random,
  decide: Decider,
): Promise<PlayedWay> {
  const task = POCKET.task(id, instanceSeed);
  const desktop = new PocketDesktop(desktopId(`parity-${id}`));
  try {
    const maxSteps = stepLimit(task);
    const episode = await Episode.start(desktop, { task, seed: instanceSeed, maxSteps });
    while (episode.end === undefined) await episode.act(await decide(episode, random.int(MAX_SEED)));
    return { score: episode.end.verdict.score, actions: episode.actions };
  } finally {
    await desktop.close();
  }
}

/** Seeds in requests have 31 bits. */
const MAX_SEED = 2 ** 31;

/** A decider for one episode. */
export function directly(pool: PolicyPool, { mode, temperature }: PlayRules): Decider {
  let observer: ScreenObserver | undefined;
  return async ({ instruction, screen, actions }, number) => {
    const last = actions.at(-1);
    if (observer !== undefined && last !== undefined) observer.acted(last, screen);
    observer ??= new ScreenObserver(instruction, mode, screen);
    const observation = encode(observer.observation);
    const { action } = await pool.decide({ observation, seed: seed(number), temperature, exploration: 0 });
    return action;
  };
}

/** A decider for one episode. */
export function throughEndpoint(chat: ChatModel, session: string, { temperature }: PlayRules): Decider {
  const earlier: ChatMessage[] = [];
  return async (episode, number) => {
    const { pixels, elements = [] } = episode.screen;
    const { width, height } = pixels;
    const listed = writeScreenPart({ size: { width, height }, elements });
    const shown = { type: 'text', text: listed } as const;
    const first: ChatMessage = {
      role: 'user',
      parts: [{ type: 'text', text: `## User Instruction\n${episode.instruction}` }],
    };
    const image = { type: 'image', sha256: 'the current screen', width, height } as const;
    const reply = await chat.complete({
      // The policy looks at the pixels of the last screen only.
      messages: [first, ...earlier, { role: 'user', parts: [image, shown] }],
      images: () => encodePng(pixels, 'quick'),
      sampling: { temperature, topP: 1, topK: -1, maxTokens: 1000, seed: number },
      ...{ session, signal: new AbortController().signal },
    });
    earlier.push(
      { role: 'user', parts: [shown] },
      { role: 'assistant', parts: [{ type: 'text', text: reply.raw }] },
    );
    return readAction(reply.raw, { width, height });
  };
}

function readAction(raw: string, size: { readonly width: number; readonly height: number }): Action {
  try {
    return uitars(COORDINATES['ui-tars-1.5'](size)).decode(raw);
  } catch (error) {
    return { kind: 'none', why: messageOf(error) };
  }
}

/** The first action in which two episodes differ; undefined if all are equal. */
export function firstDifference(
  direct: readonly Action[],
  endpoint: readonly Action[],
): { readonly step: number; readonly direct?: Action; readonly endpoint?: Action } | undefined {
  const count = Math.max(direct.length, endpoint.length);
  for (let index = 0; index < count; index++) {
    const [one, other] = [direct[index], endpoint[index]];
    if (JSON.stringify(one) === JSON.stringify(other)) continue;
    return {
      step: index + 1,
      ...(one !== undefined && { direct: one }),
      ...(other !== undefined && { endpoint: other }),
    };
  }
  return undefined;
}
