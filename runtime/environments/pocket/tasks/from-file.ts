// A template from a task file: OSWorld's JSON whose `dartboard` part also lists what varies, how it is solved, and what is
// nearly right. docs/tasks.md has an example.

import { z } from 'zod';
import { parseTask, TaskFileError } from '../../../tasks/schema.ts';
import { chosenFrom, filled } from '../../../tasks/vary.ts';
import { type AppOpening, worldFromSetup } from '../getters.ts';
import type { Draw } from './draw.ts';
import type { ScriptedUser } from './scripted-user.ts';
import type { PocketInstance, PocketTemplate } from './template.ts';

const text = z.string();
const step = z.union([
  z.tuple([z.enum(['click', 'double']), text, text]),
  z.tuple([z.literal('choose'), text, text, text]),
  z.tuple([z.literal('fill'), text, text, text]),
  z.tuple([z.literal('drag'), text, text, text, text]),
  z.tuple([z.enum(['type', 'open']), text]),
  z.tuple([z.literal('keys'), text], text),
]);
type Step = z.infer<typeof step>;
const script = z.array(step);

const extras = z.object({
  tier: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)]),
  unseen: z.literal(true).optional(),
  max_steps: z.int().min(1).optional(),
  vary: z.record(z.string(), z.array(z.unknown())).default({}),
  /** Values for test instances, where they should be others than those of training. */
  vary_test: z.record(z.string(), z.array(z.unknown())).default({}),
  solution: script,
  misses: z.record(z.string(), script).default({}),
});

type Words = readonly [string, string, string, string];

const GESTURES: Readonly<
  Record<Step[0], (hand: ScriptedUser, words: Words, all: readonly string[]) => void>
> = {
  click: (hand, [role, name]) => hand.click(role, name),
  double: (hand, [role, name]) => hand.double(role, name),
  choose: (hand, [role, name, item]) => hand.choose(role, name, item),
  fill: (hand, [role, name, content]) => hand.fill(role, name, content),
  drag: (hand, [role, name, toRole, toName]) => hand.drag(role, name, toRole, toName),
  type: (hand, [content]) => hand.type(content),
  open: (hand, [app]) => hand.open(app),
  keys: (hand, [first], all) => hand.keys(first, ...all.slice(1)),
};

function perform(hand: ScriptedUser, [kind, ...words]: Step): void {
  const [a = '', b = '', c = '', d = ''] = words;
  GESTURES[kind](hand, [a, b, c, d], words);
}

/** `value` is what the JSON file held; `file` is named in errors. */
export function templateFromFile(value: unknown, file: string): PocketTemplate {
  const task = parseTask(value, file);
  if ((task.evaluator.postconfig ?? []).length > 0) {
    throw new TaskFileError(
      `${file} is no template. evaluator.postconfig: a pocket desktop takes no steps before it is judged. Leave it out: evaluator.result sees the desktop as the agent left it.`,
    );
  }
  const notes = extras.safeParse(task.dartboard);
  if (!notes.success) {
    const complaints = notes.error.issues.map(
      ({ path, message }) => `dartboard.${path.join('.')}: ${message}`,
    );
    throw new TaskFileError(`${file} is no template. ${complaints.join('; ')}`);
  }
  const { tier, unseen, max_steps: maxSteps, vary, vary_test: varyTest, solution, misses } = notes.data;
  const make = (draw: Draw): PocketInstance => {
    const chosen = chosenFrom(draw.isTest ? { ...vary, ...varyTest } : vary, draw.random);
    // What is ours is filled when it is used: its values for tests may have names that training does not know.
    const instance = filled({ ...task, dartboard: undefined }, chosen);
    const { instruction, config = [], evaluator } = parseTask(instance, file);
    const { openings } = worldFromSetup(config);
    const play = (steps: readonly Step[]) => (hand: ScriptedUser) => {
      for (const each of script.parse(filled(steps, chosen))) perform(hand, each);
    };
    return {
      instruction,
      world: worldOf(config),
      open: openings satisfies readonly AppOpening[],
      evaluator,
      solve: play(solution),
      misses: Object.fromEntries(Object.entries(misses).map(([name, steps]) => [name, play(steps)])),
    };
  };
  return {
    ...{ id: task.id, tier, apps: task.related_apps ?? [], file, make },
    ...(unseen && { unseen }),
    ...(maxSteps !== undefined && { maxSteps }),
  };
}

/** What the set-up steps put into the world, together: of settings, each may set some. */
function worldOf(
  config: readonly { readonly type: string; readonly parameters?: object }[],
): PocketInstance['world'] {
  const parts = config
    .filter(({ type }) => type === 'pocket_world')
    .map(({ parameters }) => (parameters ?? {}) as PocketInstance['world']);
  const settings = Object.assign({}, ...parts.map(part => part.settings));
  return Object.assign({}, ...parts, { settings });
}
