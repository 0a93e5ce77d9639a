// Reads the messages of a request as an episode: the instruction, the earlier turns and the current screen. The server keeps no state,
// so the messages are all that it knows. Pure.

import { messageOf } from '../core/errors.ts';
import { badRequest } from './api-error.ts';
import type { ChatRequestMessage, MessagePart } from './chat-request.ts';
import { isScreenPart, type ListedScreen, readScreenPart } from './screen-part.ts';

/** One screen as the client sent it. */
export interface SentScreen {
  /** The URL of the last image of the turn. */
  readonly image?: string;
  readonly listed?: ListedScreen;
}

export interface Conversation {
  readonly instruction: string;
  /** Oldest first. */
  readonly past: readonly { readonly screen: SentScreen; readonly reply: string }[];
  readonly current: SentScreen;
}

/** Throws an ApiError. */
export function conversationIn(messages: readonly ChatRequestMessage[]): Conversation {
  const past: { readonly screen: SentScreen; readonly reply: string }[] = [];
  let current: SentScreen = {};
  for (const [index, { role, parts }] of messages.entries()) {
    if (role === 'assistant') {
      past.push({ screen: current, reply: textOf(parts) });
      current = {};
    } else {
      for (const part of parts) current = withPart(current, part, index);
    }
  }
  if (messages.at(-1)?.role === 'assistant')
    throw badRequest(
      'messages',
      'The last message is a reply. Send the screen after it in a message of the user.',
    );
  if (current.image === undefined && current.listed === undefined)
    throw badRequest(
      'messages',
      "The messages after the last reply have no screen. Send an image, or a text part '## Screen'.",
    );
  return { instruction: instructionIn(messages), past, current };
}

function withPart(screen: SentScreen, part: MessagePart, message: number): SentScreen {
  if (part.type === 'image_url') return { ...screen, image: part.image_url.url };
  if (!isScreenPart(part.text)) return screen;
  try {
    return { ...screen, listed: readScreenPart(part.text) };
  } catch (error) {
    throw badRequest(`messages.${message}`, messageOf(error), error);
  }
}

/** The heading under which the prompts of UI-TARS have the instruction. */
const HEADING = /^##[ \t]*User Instruction[ \t]*$/im;

/** The text under the heading, else the first text of the user. */
function instructionIn(messages: readonly ChatRequestMessage[]): string {
  const texts = messages
    .filter(({ role }) => role !== 'assistant')
    .flatMap(({ role, parts }) => parts.flatMap(part => (part.type === 'text' ? [{ role, ...part }] : [])))
    .filter(({ text }) => !isScreenPart(text));
  for (const { text } of texts) {
    const heading = HEADING.exec(text);
    if (heading === null) continue;
    const instruction = text.slice(heading.index + heading[0].length).trim();
    if (instruction !== '') return instruction;
  }
  const first = texts.find(({ role, text }) => role === 'user' && text.trim() !== '');
  if (first !== undefined) return first.text.trim();
  throw badRequest(
    'messages',
    "The messages have no instruction. Write it in the first text of the user, or under '## User Instruction'.",
  );
}

const textOf = (parts: readonly MessagePart[]): string =>
  parts.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('');
