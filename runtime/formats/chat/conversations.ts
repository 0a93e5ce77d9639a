// Trajectories as conversations for fine-tuning. The turns of a model are examples exactly as it saw them. Other trajectories, also those
// that a person corrected, become one conversation in the grammar of UI-TARS. Pure.

import { createHash } from 'node:crypto';
import type { ChatMessage, ChatPart } from '../../core/chat.ts';
import { pngSize } from '../../core/png.ts';
import type { Size } from '../../core/screen.ts';
import type { Trajectory } from '../../core/trajectory.ts';
import type { ChatExchange } from '../../learner/file/fine-tuning.ts';
import { exchangeIn } from '../../run/trainer/stored-exchanges.ts';
import { dartConversation, dartPrompt } from '../dart/write.ts';
import { turnsOf } from '../steps.ts';
import { WriteRefusal } from '../written-files.ts';

export interface Conversations {
  readonly exchanges: readonly ChatExchange[];
  /** The PNG of each image, by its hash. */
  readonly images: ReadonlyMap<string, Uint8Array>;
}

export function conversationsOf(
  trajectory: Trajectory,
  pictures: readonly Uint8Array[],
  screen: Size,
): Conversations {
  const turns = turnsOf(trajectory.steps);
  const exchanges = turns.flatMap(({ at }) => exchangeIn(trajectory.steps[at]) ?? []);
  if (exchanges.length === turns.length && turns.length > 0)
    return {
      exchanges,
      images: new Map((trajectory.images ?? []).map(({ sha256, png }) => [sha256, png])),
    };
  return wholeConversation(trajectory, pictures, screen);
}

function wholeConversation(
  trajectory: Trajectory,
  pictures: readonly Uint8Array[],
  screen: Size,
): Conversations {
  const images = new Map<string, Uint8Array>();
  const messages: ChatMessage[] = dartPrompt(trajectory.instruction, trajectory.mode).map(
    ({ role, content }) => ({
      role,
      parts:
        typeof content === 'string'
          ? [{ type: 'text', text: content }]
          : content.flatMap(part =>
              part.type === 'text' ? [{ type: 'text', text: part.text } as const] : [],
            ),
    }),
  );
  const turns = dartConversation(trajectory, pictures, screen);
  for (const [index, { picture, reply }] of turns.entries()) {
    if (reply === undefined) continue;
    if (picture === undefined)
      throw new WriteRefusal(
        `Reply ${index + 1} has no picture before it, and a model learns nothing from replies without pictures. Export trajectories with all pictures.`,
      );
    addToUser(messages, imageOf(picture, images));
    messages.push({ role: 'assistant', parts: [{ type: 'text', text: reply }] });
  }
  const last = messages.pop();
  const [reply] = last?.parts ?? [];
  if (last?.role !== 'assistant' || reply?.type !== 'text')
    throw new WriteRefusal('The trajectory has no step. Leave it out.');
  return { exchanges: [{ messages, reply: reply.text }], images };
}

function imageOf(png: Uint8Array, images: Map<string, Uint8Array>): ChatPart {
  const sha256 = createHash('sha256').update(png).digest('hex');
  images.set(sha256, png);
  return { type: 'image', sha256, ...pngSize(png) };
}

function addToUser(messages: ChatMessage[], part: ChatPart): void {
  const last = messages.at(-1);
  if (last?.role === 'user') messages[messages.length - 1] = { ...last, parts: [...last.parts, part] };
  else messages.push({ role: 'user', parts: [part] });
}
