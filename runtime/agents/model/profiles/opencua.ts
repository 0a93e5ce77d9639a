// OpenCUA: "## Thought, ## Action, ## Code" with a fenced block of pyautogui. Code is parsed, never run.

import { type Action, MAX_NOTCHES, MAX_STORED_NOTCHES, wordless } from '../../../core/action.ts';
import type { ChatMessage } from '../../../core/chat.ts';
import type { Point } from '../../../core/screen.ts';
import { centre } from '../../../core/screen.ts';
import { ActionFormatError } from '../../codecs/codec.ts';
import { readCode, writeComputerCode } from '../../codecs/pyautogui.ts';
import type { Placement } from '../../codecs/pyautogui-call.ts';
import { joinThoughts, splitThinking } from '../../codecs/thinking.ts';
import {
  actionInWords,
  assistant,
  conversation,
  imageOf,
  type NumberedTurn,
  summaryOf,
  system,
  text,
  turnsInWindow,
  user,
} from '../conversation.ts';
import { type CoordinateSpace, spaceOf, toPicture, toScreen } from '../frame.ts';
import type { Frame, HistoryWindow, Profile, PromptInput, Reading } from '../profile.ts';
import { NOT_OWN_THOUGHT, readingOf, replyOrWords, withoutElements } from '../reading.ts';
import { FRAME_RULES } from './frames.ts';

const HISTORY: HistoryWindow = { images: 3, turns: 30 };

const SYSTEM = `You operate a desktop computer to complete a task. You see the screen and your earlier steps. Wait explicitly while a program \
installs, starts or loads. End the task with success only when it is complete; if it is impossible, end it with failure.

For each step, reply in this format:
# Step: {step number}
## Thought:
{thought}
## Action:
{action}
## Code:
{code}

Thought: judge the last action by what changed on the screen, say what is done and what remains, and choose the next action.
Action: one sentence that says what to do and names the target element without coordinates.
Code: one code block, with PyAutoGUI code or one of these functions:
- {"name": "computer.triple_click", "description": "Triple click on the screen", "parameters": {"type": "object", "properties": \
{"x": {"type": "number", "description": "The x coordinate"}, "y": {"type": "number", "description": "The y coordinate"}}, "required": ["x", "y"]}}
- {"name": "computer.wait", "description": "Wait for installations, downloads and slow programs", "parameters": {"type": "object", "properties": {}, "required": []}}
- {"name": "computer.terminate", "description": "End the task and report its status", "parameters": {"type": "object", "properties": \
{"status": {"type": "string", "enum": ["success", "failure"]}, "answer": {"type": "string"}}, "required": ["status"]}}
Examples of the code block:
\`\`\`python
pyautogui.click(x=123, y=456)
\`\`\`
\`\`\`code
computer.terminate(status="success")
\`\`\``;

export const OPENCUA: Profile = {
  id: 'opencua',
  modes: ['screenshot'],
  ...FRAME_RULES.opencua,
  history: HISTORY,
  sampling: { temperature: 1, topP: 1, topK: -1, maxTokens: 2048 },
  messages: messagesOf,
  read: (raw, frame) => readCodeReply(raw, frame, spaceOf(FRAME_RULES.opencua.coordinates, frame)),
  write: (action, frame) =>
    replyOrWords(action, () => writeCodeReply(action, spaceOf(FRAME_RULES.opencua.coordinates, frame))),
};

function messagesOf(prompt: PromptInput): readonly ChatMessage[] {
  const turns = turnsInWindow(prompt, HISTORY);
  const withImage = turns.filter(({ turn }) => turn.image !== undefined);
  const earlier = turns.filter(({ turn }) => turn.image === undefined);
  const request = `# Task Instruction:\n${prompt.instruction}\n\nChoose the next step from the screenshot, the instruction and the earlier steps.\n`;
  return conversation([
    system(SYSTEM),
    assistant(earlier.map(stepOf).join('\n')),
    ...withImage.flatMap(numbered => [user(...imageOf(numbered.turn)), assistant(stepOf(numbered))]),
    user(...imageOf(prompt.current), text(request)),
  ]);
}

const stepOf = ({ turn, number }: NumberedTurn): string =>
  `# Step ${number}:\n## Action:\n${sectionOf(turn.raw, 'Action') || summaryOf(turn)}\n`;

/** The text under a heading such as "## Action:"; '' without it. */
export const sectionOf = (raw: string, heading: string): string => {
  const found = new RegExp(
    `^#{1,3}[ \\t]*${heading}[ \\t]*:?[ \\t]*\\n?([\\s\\S]*?)(?=^#{1,3}[ \\t]|^\`\`\`|(?![\\s\\S]))`,
    'm',
  ).exec(raw);
  return found?.[1]?.trim() ?? '';
};

const FENCE = /```[ \t]*(?:(?:code|python|py)(?=\s))?[ \t]*\n?([\s\S]*?)(?:```|$)/gi;

/** Reads the last code block of a reply. `space` is that of coordinates in pixels. */
export function readCodeReply(raw: string, frame: Frame, space: CoordinateSpace): Reading {
  const { thinking, reply } = splitThinking(raw);
  const thought = joinThoughts(thinking, sectionOf(reply, 'Thought'), sectionOf(reply, 'Action'));
  return readingOf(() => {
    const blocks = [...reply.matchAll(FENCE)].map(([, block = '']) => block.trim());
    const code = blocks.findLast(block => block !== '') ?? sectionOf(reply, 'Code');
    if (code === '')
      throw new ActionFormatError(
        'pyautogui',
        raw,
        'no code block found: write the code between ``` and ```',
      );
    const rules = {
      pointer: frame.pointer,
      scrollAt: centre({ x: 0, y: 0, ...frame.screen }),
      place: placementIn(space),
      maxNotches: MAX_STORED_NOTCHES,
    };
    return { thought, actions: withoutElements(readCode(code, rules).map(limited)) };
  }, thought);
}

/** Models also write pixels, such as `scroll(-500)`. */
const limited = (action: Action): Action =>
  action.kind === 'scroll' ? { ...action, notches: Math.min(action.notches, MAX_NOTCHES) } : action;

function writeCodeReply(action: Action, space: CoordinateSpace): string {
  const refuse = (reason: string): never => {
    throw new ActionFormatError('pyautogui', action, reason);
  };
  const xy = (point: Point): string => {
    const [x, y] = toPicture(space, point);
    if (isPart(Number(x), Number(y))) refuse(`(${point.x}, ${point.y}) reads as parts of the screen`);
    return `x=${x}, y=${y}`;
  };
  const code = writeComputerCode(action, xy);
  if (code.includes('```')) refuse('a code block cannot contain the mark of its end');
  const sentence = actionInWords(wordless(action)).replaceAll('</think', '‹/think');
  return `## Thought:\n${NOT_OWN_THOUGHT}\n\n## Action:\n${sentence}\n\n## Code:\n\`\`\`python\n${code}\n\`\`\``;
}

const isPart = (x: number, y: number): boolean =>
  [x, y].every(part => part >= 0 && part <= 1) && !(Number.isInteger(x) && Number.isInteger(y));

/** Fractions from 0 to 1 are parts of the screen, as some releases write them; other numbers are pixels of the picture. */
const placementIn =
  (space: CoordinateSpace): Placement =>
  (x, y, refuse): Point => {
    if (typeof x !== 'number' || typeof y !== 'number')
      return refuse(`needs a position of two numbers, and has (${typeof x}, ${typeof y})`);
    const { width, height } = space.picture;
    return (
      toScreen(isPart(x, y) ? { ...space, picture: { width: 1, height: 1 } } : space, x, y) ??
      refuse(`points at (${x}, ${y}), outside the ${width} × ${height} picture: check the coordinate space`)
    );
  };
