// Short labels of single choices for the user interface. Pure.

import { at } from '../../core/at.ts';
import type { Box } from '../../core/screen.ts';
import { type Choices, COPY_WHOLE_TEXT } from './act.ts';
import { KINDS, type Slot } from './action-kinds.ts';
import { CHORDS } from './chords.ts';
import type { Observation } from './observation.ts';
import type { Tokens } from './token-features.ts';
import { capital } from './word-tokenizer.ts';

/** The observation of a decision, and its tokens. */
export interface LabelContext {
  readonly tokens: Tokens;
  readonly observation: Pick<Observation, 'instruction' | 'elements' | 'firstElement'>;
}

/** The label of one choice of a slot, given the choices of the earlier slots. */
export function labelOf(context: LabelContext, choices: Choices, slot: Slot, choice: number): string {
  switch (slot) {
    case 'kind':
      return at(KINDS, choice);
    case 'pointer':
    case 'target':
      return placeLabel(context, choice);
    case 'key':
      return at(CHORDS, choice).map(capital).join('+');
    case 'text':
      return short(context.tokens.meanings[choice]?.text ?? '');
    case 'end':
      return short(instructionPart(context, choices.text, choice));
    case 'first':
      return short(textPart(context, choices.text, choice, choice));
    case 'last':
      return short(textPart(context, choices.text, choices.first, choice));
  }
}

/** The box of a token; undefined for tokens without a place on the screen. */
export const boxAt = ({ tokens }: LabelContext, token: number): Box | undefined =>
  tokens.meanings[token]?.at?.box;

function placeLabel({ tokens, observation }: LabelContext, token: number): string {
  const at = tokens.meanings[token]?.at;
  if (at === undefined) return '';
  const element =
    at.kind === 'element' ? observation.elements[at.index - observation.firstElement] : undefined;
  if (element === undefined) return `spot at ${middle(at.box)}`;
  const { role, name, value } = element;
  const label = name === '' ? value : name;
  return label === '' ? `${role} at ${middle(at.box)}` : `${role} "${short(label)}"`;
}

function instructionPart(
  { tokens, observation }: LabelContext,
  from: number | undefined,
  to: number,
): string {
  const begins = from === undefined ? undefined : tokens.meanings[from]?.word;
  const ends = tokens.meanings[to]?.word ?? begins;
  if (begins === undefined || ends === undefined) return '';
  return observation.instruction.slice(begins.start, Math.max(begins.end, ends.end));
}

function textPart(
  { tokens }: LabelContext,
  token: number | undefined,
  from: number | undefined,
  to: number,
): string {
  const { text = '', spans } = (token === undefined ? undefined : tokens.meanings[token]) ?? {};
  if (from === COPY_WHOLE_TEXT) return text;
  const [begins, ends] = [from, to].map(word =>
    spans === undefined || word === undefined ? undefined : spans.each[word - spans.first],
  );
  return begins === undefined || ends === undefined ? '' : text.slice(begins.start, ends.end);
}

const middle = ({ x, y, width, height }: Box): string =>
  `${Math.floor(x + width / 2)}, ${Math.floor(y + height / 2)}`;

const MAX_LABEL_LENGTH = 48;

const short = (text: string): string => {
  // A character has at most two code units. A text may be very long, so only its start is split.
  const start = text.length > MAX_LABEL_LENGTH ? [...text.slice(0, 2 * (MAX_LABEL_LENGTH + 1))] : [];
  const line = start.length > MAX_LABEL_LENGTH ? `${start.slice(0, MAX_LABEL_LENGTH - 1).join('')}…` : text;
  return line.replaceAll('\n', ' ⏎ ');
};
