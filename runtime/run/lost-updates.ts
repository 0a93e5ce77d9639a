// The message of a run that lost updates or weights at its end, with what to do.

import { learnerOf } from '../config/agent-settings.ts';
import type { Config } from '../config/config.ts';
import { COMPACT_AGENT } from '../core/agent.ts';
import { sentenceOf } from '../core/errors.ts';
import { WEIGHTS_FILE } from './folders/run-folder.ts';
import { PUBLISHED_FILE } from './folders/run-folders.ts';
import type { ModuleEnd } from './module-process.ts';

/** After a trainer that did not end by itself. */
export function lostUpdates({ message }: Pick<ModuleEnd, 'message'>, config: Config): string {
  const kept = hasOwnState(config)
    ? 'Its learner keeps what it learned, but the last weights may not be published.'
    : 'What it learned since its last checkpoint is lost.';
  return `${message} ${kept} Resume the run to continue from there.`;
}

export function unkeptWeights(error: unknown, { agent }: Config): string {
  const file = agent === COMPACT_AGENT ? WEIGHTS_FILE : PUBLISHED_FILE;
  return `The newest weights cannot be written to '${file}': ${sentenceOf(error)} The run keeps them: resume it, and stop it again.`;
}

/** True if the learner is not in the process of the trainer: a server or a folder keeps each update. */
function hasOwnState(config: Config): boolean {
  const kind = learnerOf(config)?.kind;
  return kind === 'tinker' || kind === 'file';
}
