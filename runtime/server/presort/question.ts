// The question to a model agent about one stored episode: was the instruction done? It contains nothing that the evaluator found, so that
// the answer is an opinion of its own. Pure.

import { createHash } from 'node:crypto';
import { conversation, system, text, user } from '../../agents/model/conversation.ts';
import { elementList } from '../../agents/model/elements.ts';
import type { ChatMessage, ChatPart } from '../../core/chat.ts';
import type { Element, Size } from '../../core/screen.ts';
import type { ImageSource } from '../../endpoints/chat.ts';

export interface AskedEpisode {
  readonly instruction: string;
  /** The actions in words, in order. */
  readonly actions: readonly string[];
  /** The last screens, oldest first, each with the number of actions after it; empty for models without images. */
  readonly screens: readonly (Size & { readonly png: Uint8Array; readonly actionsAfter: number })[];
  /** Of the last screen. Absent if they are not stored, or the agent is not shown elements. */
  readonly elements?: readonly Element[];
}

export interface PresortQuestion {
  readonly messages: readonly ChatMessage[];
  readonly images: ImageSource;
}

/** The first actions of a longer episode are left out. */
const MAX_ACTIONS = 60;

const SYSTEM = `You check the work of an agent that operates a desktop computer. Decide whether it did what the instruction asks.
- Judge the result, not the way. Changes that the instruction does not ask for make it a failure.
- If neither the actions nor the screens show the result, decide what is likelier, with a low confidence.
Reply with one JSON object and nothing else:
{"verdict": "success" or "failure", "confidence": NUMBER from 50 for a guess to 100 for certainty, "reason": "ONE SENTENCE"}`;

export function questionAbout({ instruction, actions, screens, elements }: AskedEpisode): PresortQuestion {
  const images = new Map<string, Uint8Array>();
  const shown = screens.flatMap(({ png, width, height, actionsAfter }): ChatPart[] => {
    const sha256 = createHash('sha256').update(png).digest('hex');
    images.set(sha256, png);
    return [text(labelOf(actionsAfter)), { type: 'image', sha256, width, height }];
  });
  const listed =
    elements === undefined ? [] : [text(`Elements on the last screen:\n${elementList(elements) || 'none'}`)];
  return {
    messages: conversation([
      system(SYSTEM),
      user(
        text(`Instruction: ${instruction}\n\nActions of the agent:\n${actionLines(actions)}`),
        ...shown,
        ...listed,
        text('Did the agent do what the instruction asks? Reply with the JSON object.'),
      ),
    ]),
    images: sha256 => {
      const png = images.get(sha256);
      if (png === undefined) throw new RangeError(`The question has no image ${sha256}.`);
      return png;
    },
  };
}

function labelOf(actionsAfter: number): string {
  if (actionsAfter === 0) return 'The last screen:';
  return actionsAfter === 1
    ? 'The screen before the last action:'
    : `The screen before the last ${actionsAfter} actions:`;
}

function actionLines(actions: readonly string[]): string {
  const first = Math.max(0, actions.length - MAX_ACTIONS);
  const lines = actions.slice(first).map((action, index) => `${first + index + 1}. ${action}`);
  return [...(first > 0 ? [`(${first} earlier actions are left out)`] : []), ...lines].join('\n') || 'none';
}
