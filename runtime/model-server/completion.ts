// Writes a choice of the compact policy as a reply in the grammar of UI-TARS, token by token.
//
//   Thought: │click│ button "New"│.⏎Action: │click(start_box='(24,30)')
//
// Each decision of the policy is one token of the thought, with the log-probability and the alternatives of the decision: the kind of
// action, each target of the pointer, the source and the ends of a text, the keys. The action repeats these decisions in the grammar. It
// follows from them, as do the words between them: these tokens have probability 1. So the log-probabilities of a reply sum to that of
// the choice. They belong to the distribution that was sampled; at temperature 0 to that of temperature 1.

import { uitars } from '../agents/codecs/uitars.ts';
import { type Choices, COPY_WHOLE_TEXT, usedSlots } from '../agents/compact/act.ts';
import type { Slot } from '../agents/compact/action-kinds.ts';
import { type LabelContext, labelOf } from '../agents/compact/decision-labels.ts';
import type { CoordinateSpace } from '../agents/model/frame.ts';
import type { Action } from '../core/action.ts';
import type { Alternative, Decision } from '../core/decision.ts';
import type { Choice } from '../core/policy.ts';

export interface CompletionToken {
  /** In the vocabulary of a model with token ids. */
  readonly id?: number;
  readonly text: string;
  /** The text that it adds to the reply. Default: `text`, which is U+FFFD for a part of a character. */
  readonly added?: string;
  /** Natural logarithm. */
  readonly logProbability: number;
  /** Likeliest first; contains the token itself if it is likely enough. */
  readonly alternatives: readonly { readonly text: string; readonly logProbability: number }[];
}

/** `context` is the observation of the choice. */
export const writeCompletion = (
  { action, decisions }: Pick<Choice, 'action' | 'decisions'>,
  context: LabelContext,
  space: CoordinateSpace,
): readonly CompletionToken[] => [
  certain('Thought: '),
  ...thoughtOf(context, decisions),
  certain('.\nAction: '),
  certain(writeAction(action, space)),
];

const certain = (text: string): CompletionToken => ({
  text,
  logProbability: 0,
  alternatives: [{ text, logProbability: 0 }],
});

/** The earlier choices determine the slot of each decision: the kind is first and selects the other slots. */
function thoughtOf(context: LabelContext, decisions: readonly Decision[]): readonly CompletionToken[] {
  let choices: Choices = {};
  return decisions.map(({ choice, logProbability, alternatives }, index) => {
    const slot = index === 0 ? 'kind' : usedSlots(context.tokens, choices)[index];
    if (slot === undefined)
      throw new RangeError(
        `A choice has ${decisions.length} decisions, its kind has ${index}. The policy and the server differ in version; build the project again.`,
      );
    choices = { ...choices, [slot]: choice };
    const phrase = PHRASES[slot];
    return {
      text: phrase({ choice, label: labelOf(context, choices, slot, choice) }),
      logProbability,
      alternatives: alternatives.map(each => ({ text: phrase(each), logProbability: each.logProbability })),
    };
  });
}

type Labelled = Pick<Alternative, 'choice' | 'label'>;

/** A thought is one line: its parsers end it at the first line of an action. */
const line = (label: string): string => label.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
const quoted = ({ label }: Labelled): string => `"${line(label)}"`;

const PHRASES: Readonly<Record<Slot, (choice: Labelled) => string>> = {
  kind: ({ label }) => label.replaceAll('_', ' '),
  pointer: ({ label }) => ` ${line(label)}`,
  target: ({ label }) => ` to ${line(label)}`,
  text: choice => ` from ${quoted(choice)}`,
  end: choice => ` the text ${quoted(choice)}`,
  first: choice =>
    choice.choice === COPY_WHOLE_TEXT ? ' the whole text' : ` beginning with ${quoted(choice)}`,
  last: choice => ` the text ${quoted(choice)}`,
  key: ({ label }) => ` ${line(label)}`,
};

/** Without the special tokens around a position: a server leaves them out of a text, and the parser of UI-TARS rejects them. */
function writeAction(action: Action, space: CoordinateSpace): string {
  const written = uitars(space).encode(action);
  const hasPosition = 'at' in action || action.kind === 'drag';
  return hasPosition ? written.replaceAll(/<\|box_(?:start|end)\|>/g, '') : written;
}
