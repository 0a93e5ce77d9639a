// The result of a parser as a reading, and of a writer as a reply. An unreadable reply is data, not an exception; so is an action that a
// grammar lacks.

import { type Action, wordless } from '../../core/action.ts';
import { ActionFormatError } from '../codecs/codec.ts';
import { actionInWords } from './conversation.ts';
import type { ReadAction, Reading } from './profile.ts';

export interface ReadTurn {
  /** '' if the reply has none. */
  readonly thought: string;
  readonly actions: readonly ReadAction[];
}

/** `thought` is the thought of a reply whose actions cannot be read. */
export function readingOf(read: () => ReadTurn, thought = ''): Reading {
  try {
    const turn = read();
    const [first, ...rest] = turn.actions;
    if (first === undefined) return malformed('no action found: write at least one', turn.thought);
    return { kind: 'actions', ...thoughtOf(turn.thought), actions: [first, ...rest] };
  } catch (error) {
    if (!(error instanceof ActionFormatError)) throw error;
    return malformed(error.reason, thought);
  }
}

/** The text of `write`; the action in words if the grammar lacks it. */
export function replyOrWords(action: Action, write: () => string): string {
  try {
    return write();
  } catch (error) {
    if (!(error instanceof ActionFormatError)) throw error;
    return `Action: ${actionInWords(wordless(action))}`;
  }
}

/** The thought of a written reply: the model did not have one. */
export const NOT_OWN_THOUGHT = 'The user did this step.';

/** The actions of a format without numbered elements. */
export const withoutElements = (actions: readonly Action[]): readonly ReadAction[] =>
  actions.map(action => ({ action, elements: [] }));

const malformed = (why: string, thought: string): Reading => ({
  kind: 'malformed',
  why,
  ...thoughtOf(thought),
});

const thoughtOf = (thought: string): { readonly thought?: string } => (thought === '' ? {} : { thought });
