// Profiles of the families that call `computer_use`: Qwen2.5-VL, Qwen3-VL, GUI-Owl 1.5 and EvoCUA. They repeat the latest turns with
// images, and earlier ones as a list of sentences.

import { type Action, wordless } from '../../../core/action.ts';
import type { ChatMessage, ChatPart } from '../../../core/chat.ts';
import { computerUse } from '../../codecs/computer-use.ts';
import { thoughtBeforeCalls } from '../../codecs/tool-calls.ts';
import {
  actionInWords,
  assistant,
  conversation,
  imageOf,
  summaryOf,
  system,
  text,
  turnsInWindow,
  user,
} from '../conversation.ts';
import { spaceOf } from '../frame.ts';
import type { Frame, HistoryWindow, Profile, ProfileId, PromptInput, Reading } from '../profile.ts';
import { readingOf, replyOrWords, withoutElements } from '../reading.ts';
import { type ToolAction, toolPrompt } from './computer-use-prompt.ts';
import { FRAME_RULES } from './frames.ts';
import { QWEN_IMAGE_TOKENS } from './image-tokens.ts';

/** The turns before the current one that are repeated with their images. */
const REPEATED = 4;
const HISTORY: HistoryWindow = { images: REPEATED + 1, turns: 30 };

export interface ToolFamily {
  readonly id: ProfileId;
  /** Text before the definition of the tool. */
  readonly opening: string;
  readonly actions: readonly ToolAction[];
  readonly sentence: boolean;
  /** The order of the first message of the user. */
  readonly first: 'image' | 'text';
  readonly maxTokens: number;
}

export const toolProfile = (family: ToolFamily): Profile => ({
  id: family.id,
  modes: ['screenshot'],
  ...FRAME_RULES[family.id],
  imageTokens: QWEN_IMAGE_TOKENS,
  history: HISTORY,
  sampling: { temperature: 1, topP: 1, topK: -1, maxTokens: family.maxTokens },
  messages: prompt => messagesOf(family, prompt),
  read: (raw, frame) => readToolCalls(raw, frame, family.id),
  write: (action, frame) => writeToolCalls(action, frame, family.id),
});

export const readToolCalls = (raw: string, frame: Frame, id: ProfileId): Reading =>
  readingOf(() => {
    const codec = computerUse(spaceOf(FRAME_RULES[id].coordinates, frame));
    const { thought, actions } = codec.decodeTurn(raw, frame.pointer);
    return { thought, actions: withoutElements(actions) };
  }, thoughtBeforeCalls(raw));

/** The sentence is repeated in later prompts, when the call is not. Its text must not look like a call. */
const writeToolCalls = (action: Action, frame: Frame, id: ProfileId): string =>
  replyOrWords(action, () => {
    const call = computerUse(spaceOf(FRAME_RULES[id].coordinates, frame)).encode(action);
    return `Action: ${actionInWords(wordless(action)).replaceAll('<', '‹')}\n${call}`;
  });

function messagesOf(family: ToolFamily, prompt: PromptInput): readonly ChatMessage[] {
  const { coordinates } = FRAME_RULES[family.id];
  const resolution =
    coordinates.kind === 'relative' ? { width: 1000, height: 1000 } : prompt.current.frame.sent;
  const turns = turnsInWindow(prompt, HISTORY);
  const repeated = turns.slice(-REPEATED);
  const earlier = turns.slice(0, -REPEATED).map(({ turn, number }) => `Step ${number}: ${summaryOf(turn)}`);
  const request = text(
    `Choose the next action from the screenshot, the instruction and the previous actions.\n\nInstruction: ${prompt.instruction}\n\n` +
      `Previous actions:\n${earlier.length === 0 ? 'None' : earlier.join('\n')}`,
  );
  const first = (image: readonly ChatPart[]) =>
    family.first === 'image' ? [...image, request] : [request, ...image];
  const [oldest, ...others] = [...repeated.map(({ turn }) => turn), prompt.current];
  return conversation([
    system(`${family.opening}${toolPrompt({ ...family, resolution })}`),
    user(...first(oldest === undefined ? [] : imageOf(oldest))),
    ...repeated.flatMap(({ turn }, index) => [
      assistant(turn.raw),
      user(...imageOf(others[index] ?? prompt.current)),
    ]),
  ]);
}
