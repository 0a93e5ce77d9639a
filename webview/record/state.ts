// The state of the panel Record, and its labels. Pure.

import type { RecordedTask, RecordingState } from '../../runtime/protocol/daemon/record.ts';

export type RecordCommand =
  | 'finish'
  | 'give-up'
  | 'done'
  | 'solution'
  | 'restart'
  | 'save'
  | 'discard'
  | 'another'
  | 'choose';

type Phase = RecordingState['phase'];

/** The buttons of a state, in the order of the page. */
export function commandsOf({ phase, isOwn, judgement, split }: RecordingState): readonly RecordCommand[] {
  const canSave = judgement?.success === true && split === 'train';
  const commands: Readonly<Record<Phase, readonly RecordCommand[]>> = {
    opening: ['discard'],
    acting: isOwn ? ['done', 'restart', 'discard'] : ['finish', 'give-up', 'restart', 'solution', 'discard'],
    showing: ['restart', 'discard'],
    judged: [...(canSave ? (['save'] as const) : []), 'restart', 'discard'],
    checking: [],
    saved: ['another', 'choose'],
    discarded: ['choose'],
    failed: ['restart', 'discard'],
  };
  return commands[phase];
}

export const COMMAND_LABELS: Readonly<
  Record<RecordCommand, { readonly text: string; readonly title: string }>
> = {
  finish: { text: 'Finish', title: 'The task is done: have it judged' },
  'give-up': { text: 'Give up', title: 'Report that the task is impossible' },
  done: { text: 'It is done', title: 'End the demonstration: you have done what you wrote' },
  solution: { text: 'Show a solution', title: 'Start over and watch the scripted solution' },
  restart: { text: 'Start over', title: 'Start the same task again, without steps' },
  save: { text: 'Save', title: 'Replay the checked steps, and add them to the success pool' },
  discard: { text: 'Discard', title: 'Return the desktop without saving' },
  another: { text: 'Another instance', title: 'Record the same task with other contents' },
  choose: { text: 'Another task', title: 'Choose the next task' },
};

/** The command that the user most likely wants next. */
export const PRIMARY: ReadonlySet<RecordCommand> = new Set<RecordCommand>([
  'finish',
  'done',
  'save',
  'another',
]);

const PHASE_LABELS: Readonly<Record<Phase, string>> = {
  opening: 'The desktop starts…',
  acting: 'Recording',
  showing: 'Showing a solution',
  judged: 'Judged',
  checking: 'Replaying the steps on a fresh desktop…',
  saved: 'Saved',
  discarded: 'Discarded',
  failed: 'The desktop failed',
};

export function statusOf({ phase, judgement, shown, isOwn }: RecordingState): string {
  if (phase === 'judged' && judgement !== undefined)
    return isOwn ? 'Done, as you say' : judgement.success ? 'Solved' : 'Not solved';
  if (phase !== 'showing') return PHASE_LABELS[phase];
  if (shown === undefined) return 'Preparing the solution…';
  return shown.at === shown.of
    ? 'The solution is over'
    : `${PHASE_LABELS.showing}: step ${shown.at} of ${shown.of}`;
}

/** Steps can be dropped before they are saved; the last one ends the task. */
export const canDrop = ({ phase, steps }: RecordingState, index: number): boolean =>
  phase === 'judged' && index < steps.length - 1;

export const isInUse = ({ phase }: RecordingState): boolean => phase !== 'saved' && phase !== 'discarded';

/** 'Tier 2 · seed 7 · 4 steps; an agent has 15'. */
export function aboutOf({ tier, seed, split, steps, maxSteps, isOwn }: RecordingState): string {
  const part = split === 'train' ? '' : ` · for tests: it cannot be saved`;
  const limit = isOwn ? '' : `; an agent has ${maxSteps}`;
  return `Tier ${tier} · seed ${seed} · ${steps.length} ${steps.length === 1 ? 'step' : 'steps'}${limit}${part}`;
}

/** Tasks for training whose name, application or instruction contains all words. */
export function matching(tasks: readonly RecordedTask[], query: string): readonly RecordedTask[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return tasks
    .filter(({ splits }) => splits.includes('train'))
    .filter(({ task, apps, example, tier }) => {
      const text = `${task} ${apps.join(' ')} ${example} tier ${tier}`.toLowerCase();
      return words.every(word => text.includes(word));
    });
}
