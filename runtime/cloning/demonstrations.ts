// An endless source of demonstrations for the micro model: scripted solutions of practice instances, step by step, and grounding examples
// on their screens. Each example is the prompt that an agent would send there, with the reply that performs the demonstrated step.

import { chatPrompt, type PatchedPart } from '../agents/micro/chat-prompt.ts';
import { type PatchedPicture, pictureOf } from '../agents/micro/picture.ts';
import { MICRO_PROFILE } from '../agents/micro/profile.ts';
import { type MicroRow, rowWith } from '../agents/micro/row.ts';
import { encodeText } from '../agents/micro/tokenizer.ts';
import { END } from '../agents/micro/vocabulary.ts';
import { listElements } from '../agents/model/elements.ts';
import type { Frame, PastTurn } from '../agents/model/profile.ts';
import type { Action } from '../core/action.ts';
import { weighted } from '../core/chance.ts';
import type { ChatPart } from '../core/chat.ts';
import type { Mode } from '../core/policy.ts';
import type { Random } from '../core/rng.ts';
import type { Screen } from '../core/screen.ts';
import type { PocketMachine } from '../environments/pocket/machine.ts';
import { ScriptedUser } from '../environments/pocket/tasks/scripted-user.ts';
import { type Practice, practiceOf } from '../environments/pocket/tasks/suite.ts';
import type { PocketTemplate } from '../environments/pocket/tasks/template.ts';
import { groundingTask } from './grounding-task.ts';
import { practiceWords } from './practice-words.ts';
import { type Demonstrated, replyFor } from './written-reply.ts';

export interface DemonstrationOptions {
  readonly templates: readonly PocketTemplate[];
  /** How often a template is practised, relative to the others. */
  readonly weightOf: (template: PocketTemplate) => number;
  /** How often a mode is practised, relative to the others. */
  readonly modes: Readonly<Partial<Record<Mode, number>>>;
  /** Grounding examples for each screen of a solution. */
  readonly grounding: number;
  readonly random: Random;
}

export interface Demonstration {
  readonly mode: Mode;
  /** The prompt, then the reply. */
  readonly row: MicroRow;
  readonly reply: string;
  /** What the reply refers to. */
  readonly frame: Frame;
}

/** Each call gives the examples of one more practice instance, in one mode. */
export function endlessDemonstrations(options: DemonstrationOptions): () => readonly Demonstration[] {
  const { templates, weightOf, modes, grounding, random } = options;
  let instances = 0;
  return () => {
    const template = weighted(random, templates, weightOf);
    const mode = weighted(random, MICRO_PROFILE.modes, each => modes[each] ?? 0);
    if (template === undefined || mode === undefined)
      throw new RangeError('Nothing to demonstrate: no template, or no mode, has a positive weight.');
    const words = practiceWords(random.fork(`words ${instances}`));
    instances += 1;
    const practice = practiceOf(template, random.int(MAX_PRACTICE), words);
    return demonstrate(practice, mode, screen => groundings(screen, grounding, random));
  };
}

const MAX_PRACTICE = 2 ** 31;

/**
 * The examples of one instance. The script goes on from what each reply does, which may be another point of the same element. A step that
 * the mode cannot express has no example.
 */
export function demonstrate(
  { instruction, solve, ending, begin }: Practice,
  mode: Mode,
  besides: (screen: Screen) => readonly Pick<Demonstrated, 'instruction' | 'action'>[] = () => [],
): readonly Demonstration[] {
  const machine = begin();
  const examples: Demonstration[] = [];
  let turns: readonly PastTurn[] = [];
  const shownAs = (action: Action): Action => {
    const screen = screenOf(machine);
    const picture = mode === 'screenshot' ? pictureOf(screen.pixels) : undefined;
    const shown = exampleOf({ mode, screen, picture, instruction, action }, turns);
    if (shown !== undefined) examples.push(shown);
    for (const other of besides(screen))
      examples.push(...listOf(exampleOf({ mode, screen, picture, ...other }, [])));
    const performed = (shown && actionOf(shown)) ?? action;
    const turn = { frame: frameOf(screen, mode), raw: shown?.reply ?? '', actions: [performed] };
    turns = [...turns, turn].slice(-MICRO_PROFILE.history.turns);
    return performed;
  };
  solve(new ScriptedUser(machine, shownAs));
  shownAs(ending === 'fail' ? { kind: 'fail', why: '' } : { kind: 'finished', answer: '' });
  return examples;
}

/** The action that the agent reads. */
function actionOf({ reply, frame }: Demonstration): Action {
  const reading = MICRO_PROFILE.read(reply, frame);
  if (reading.kind === 'actions') return reading.actions[0].action;
  throw new RangeError(`The demonstrated reply '${reply}' cannot be read: ${reading.why}`);
}

function exampleOf(
  step: Demonstrated & { readonly picture: PatchedPicture | undefined },
  turns: readonly PastTurn[],
): Demonstration | undefined {
  const { mode, screen, picture, instruction } = step;
  const frame = frameOf(screen, mode);
  const { width, height } = screen.pixels;
  const image = { type: 'image', sha256: '', width, height } as const;
  const messages = MICRO_PROFILE.messages({
    ...{ instruction, mode, turns, turnCount: turns.length },
    current: { frame, ...(mode === 'screenshot' && { image }) },
  });
  const patched = (part: ChatPart): readonly PatchedPart[] =>
    part.type === 'text' ? [part] : picture === undefined ? [] : [{ type: 'image', picture }];
  const prompt = chatPrompt(messages.map(({ role, parts }) => ({ role, parts: parts.flatMap(patched) })));
  const reply = replyFor(step, frame, prompt);
  if (reply === undefined) return undefined;
  return { mode, frame, reply, row: rowWith(prompt, [...encodeText(reply), END]) };
}

const listOf = <X>(value: X | undefined): readonly X[] => (value === undefined ? [] : [value]);

/** `count` is a mean. */
function groundings(screen: Screen, count: number, random: Random) {
  const wanted = Math.floor(count) + (random.next() < count % 1 ? 1 : 0);
  return Array.from({ length: wanted }, () => groundingTask(screen.elements ?? [], random)).flatMap(listOf);
}

const frameOf = (screen: Screen, mode: Mode): Frame => {
  const { width, height } = screen.pixels;
  const size = { width, height };
  return { screen: size, sent: size, elements: mode === 'screenshot' ? [] : listElements(screen) };
};

/** The pixels are those of the machine: valid until its next action. They are drawn only when they are read. */
const screenOf = (machine: PocketMachine): Screen => ({
  pixels: {
    layout: 'rgba',
    ...machine.size,
    get data() {
      return machine.pixels();
    },
  },
  elements: machine.elements(),
});
