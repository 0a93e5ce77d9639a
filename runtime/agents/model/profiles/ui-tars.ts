// UI-TARS 1.0 and 1.5: "Thought: … Action: click(…)". They differ in the meaning of coordinates.

import type { ChatMessage } from '../../../core/chat.ts';
import { uitars, withBoxTokens } from '../../codecs/uitars.ts';
import { splitTurn } from '../../codecs/uitars-turn.ts';
import { assistant, conversation, imageOf, system, text, turnsInWindow, user } from '../conversation.ts';
import { spaceOf } from '../frame.ts';
import type { HistoryWindow, Profile, ProfileId, PromptInput } from '../profile.ts';
import { NOT_OWN_THOUGHT, readingOf, replyOrWords, withoutElements } from '../reading.ts';
import { FRAME_RULES } from './frames.ts';
import { QWEN_VL_IMAGE } from './image-tokens.ts';

/** Five images and all replies, as in the runner of OSWorld; as many turns as in the runner of DART. */
const HISTORY: HistoryWindow = { images: 5, turns: 35 };

const ACTION_SPACE = String.raw`click(start_box='<|box_start|>(x1,y1)<|box_end|>')
left_double(start_box='<|box_start|>(x1,y1)<|box_end|>')
right_single(start_box='<|box_start|>(x1,y1)<|box_end|>')
drag(start_box='<|box_start|>(x1,y1)<|box_end|>', end_box='<|box_start|>(x3,y3)<|box_end|>')
hotkey(key='')
type(content='') # End the content with "\n" to press Enter after it.
scroll(start_box='<|box_start|>(x1,y1)<|box_end|>', direction='down or up or right or left')
wait() # Wait, then look at a new screenshot.
finished(content='xxx') # The task is complete. Write \', \" and \n for quotes and line breaks in the content.
call_user() # The task is impossible, or needs the help of the user.`;

const promptOf = (
  instruction: string,
): string => `You operate a desktop computer with mouse and keyboard to complete a task. \
You see the latest screenshots and your earlier replies. Reply with the next action.

## Output Format
\`\`\`
Thought: ...
Action: ...
\`\`\`

## Action Space

${ACTION_SPACE}

## Note
- Write the \`Thought\` part in English: a short plan, then one sentence that names the next action and its target element.

## User Instruction
${instruction}
`;

/** Servers remove the box tokens from replies; the model expects them in its history. */
function messagesOf(prompt: PromptInput): readonly ChatMessage[] {
  return conversation([
    system('You are a helpful assistant.'),
    user(text(promptOf(prompt.instruction))),
    ...turnsInWindow(prompt, HISTORY).flatMap(({ turn }) => [
      user(...imageOf(turn)),
      assistant(withBoxTokens(turn.raw)),
    ]),
    user(...imageOf(prompt.current)),
  ]);
}

const uiTars = (id: Extract<ProfileId, `ui-tars-${string}`>): Profile => ({
  id,
  modes: ['screenshot'],
  ...FRAME_RULES[id],
  imageTokens: [QWEN_VL_IMAGE],
  history: HISTORY,
  sampling: { temperature: 1, topP: 1, topK: -1, maxTokens: 1000 },
  messages: messagesOf,
  read: (raw, frame) =>
    readingOf(() => {
      const codec = uitars(spaceOf(FRAME_RULES[id].coordinates, frame));
      const { thought, actions } = codec.decodeTurn(raw, frame.pointer);
      return { thought, actions: withoutElements(actions) };
    }, splitTurn(raw).thought),
  write: (action, frame) =>
    replyOrWords(action, () => {
      const codec = uitars(spaceOf(FRAME_RULES[id].coordinates, frame));
      return `Thought: ${NOT_OWN_THOUGHT}\nAction: ${codec.encode(action)}`;
    }),
});

export const UI_TARS_15 = uiTars('ui-tars-1.5');
export const UI_TARS_10 = uiTars('ui-tars-1.0');
