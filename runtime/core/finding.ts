// The result of one diagnostic check. `problem`: a required part is missing. `warning`: a part works worse than it could.

import { messageOf } from './errors.ts';

export interface Finding {
  readonly name: string;
  readonly state: 'ok' | 'warning' | 'problem';
  readonly says: string;
  /** What to do next. Absent when the state is ok. */
  readonly remedy?: string;
}

type Found = (name: string, says: string, remedy: string) => Finding;

export const ok = (name: string, says: string): Finding => ({ name, state: 'ok', says });
export const warning: Found = (name, says, remedy) => ({ name, state: 'warning', says, remedy });
export const problem: Found = (name, says, remedy) => ({ name, state: 'problem', says, remedy });

/** The first line of the error's message. */
export const reasonOf = (error: unknown): string => {
  const text = messageOf(error);
  return text.split('\n')[0] ?? text;
};

/** 71 GB, 1.5 GB, 300 MB */
export function sized(bytes: number): string {
  const giga = bytes / 1e9;
  if (giga < 1) return `${Math.round(bytes / 1e6)} MB`;
  return `${giga < 10 ? Math.round(giga * 10) / 10 : Math.round(giga)} GB`;
}
