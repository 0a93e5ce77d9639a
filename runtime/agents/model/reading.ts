// The result of a parser as a reading. An unreadable reply is data, not an exception.

import type { Action } from '../../core/action.ts';
import { ActionFormatError } from '../codecs/codec.ts';
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

/** The actions of a format without numbered elements. */
export const withoutElements = (actions: readonly Action[]): readonly ReadAction[] =>
  actions.map(action => ({ action, elements: [] }));

const malformed = (why: string, thought: string): Reading => ({
  kind: 'malformed',
  why,
  ...thoughtOf(thought),
});

const thoughtOf = (thought: string): { readonly thought?: string } => (thought === '' ? {} : { thought });
