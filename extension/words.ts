// Numbers and states as trees, status bar and questions say them. Pure; `t` puts a sentence into the user's language.

import type { CurvePoint, RunState } from '../runtime/protocol/daemon/state.ts';

/** As `vscode.l10n.t`: `{0}` stands for the first argument. */
export type Translate = (sentence: string, ...values: readonly (string | number)[]) => string;

/** Only all is 100 %, and only none is 0. */
export function percent(share: number): string {
  const rounded = Math.round(100 * share);
  return `${share > 0 && share < 1 ? Math.min(99, Math.max(1, rounded)) : rounded} %`;
}

/** '3:07', '1:02:30'. */
export function span(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const two = (number: number): string => String(number).padStart(2, '0');
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;

export function statusWord(status: RunState['status'], t: Translate): string {
  switch (status) {
    case 'starting':
      return t('starting');
    case 'running':
      return t('training');
    case 'paused':
      return t('paused');
    case 'stopping':
      return t('stopping');
    case 'ended':
      return t('ended');
    case 'failed':
      return t('broke off');
  }
}

/** With what it is success on, and how sure that is. */
export const successOf = ({ rate, low, high, successes, trials }: CurvePoint, t: Translate): string =>
  t(
    '{0} of test tasks solved ({1} of {2}; 95 % interval {3} to {4})',
    percent(rate),
    successes,
    trials,
    percent(low),
    percent(high),
  );
