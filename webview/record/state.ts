// The state of the panel Record, and its labels. Pure.

import type { PilotMode, RecordedTask, RecordingState } from '../../runtime/protocol/daemon/record.ts';
import { desktopTitle } from '../../runtime/protocol/desktop-title.ts';
import type { PanelPlace } from '../../runtime/protocol/panels.ts';

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
export function commandsOf(state: RecordingState): readonly RecordCommand[] {
  const { phase, isOwn, judgement, split, hasSolution, desktop } = state;
  const canSave = judgement?.success === true && split === 'train';
  const solution: readonly RecordCommand[] = hasSolution ? ['solution'] : [];
  const commands: Readonly<Record<Phase, readonly RecordCommand[]>> = {
    opening: ['discard'],
    acting: isOwn ? ['done', 'restart', 'discard'] : ['finish', 'give-up', 'restart', ...solution, 'discard'],
    showing: ['restart', 'discard'],
    judged: [...(canSave ? (['save'] as const) : []), 'restart', 'discard'],
    checking: [],
    // A desktop that was taken over has been given back.
    saved: desktop === undefined ? ['another', 'choose'] : ['choose'],
    discarded: ['choose'],
    failed: ['restart', 'discard'],
  };
  return commands[phase];
}

interface CommandLabel {
  readonly text: string;
  readonly title: string;
}

export function labelOf(
  command: RecordCommand,
  { desktop, pilot, steps }: Pick<RecordingState, 'desktop' | 'pilot' | 'steps'>,
): CommandLabel {
  const takenOver = desktop === undefined ? undefined : TAKEN_OVER_LABELS[command];
  const isUncorrected = pilot !== undefined && steps.every(({ by }) => by === 'agent');
  return takenOver ?? (command === 'save' && isUncorrected ? KEEP_LABEL : COMMAND_LABELS[command]);
}

const KEEP_LABEL: CommandLabel = {
  text: 'Keep the success',
  title: 'You corrected nothing. Add what the agent did to the success pool',
};

const TAKEN_OVER_LABELS: Readonly<Partial<Record<RecordCommand, CommandLabel>>> = {
  discard: { text: 'Give back', title: 'Return the desktop to the training without saving' },
  choose: { text: 'Back to the desktops', title: 'Show the desktops of the training' },
};

const COMMAND_LABELS: Readonly<Record<RecordCommand, CommandLabel>> = {
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

/** The buttons of the agent, in the order of the page. */
export const PILOT_BUTTONS: readonly (CommandLabel & { readonly mode: PilotMode })[] = [
  { mode: 'run', text: 'Run', title: 'The agent acts by itself (r)' },
  { mode: 'approve', text: 'Approve each step', title: 'Each action waits for you (a)' },
  { mode: 'step', text: 'Step', title: 'The agent acts once, then pauses (s)' },
  { mode: 'pause', text: 'Pause', title: 'The agent waits; what you do by hand pauses it as well (p)' },
];

/** The effect of a key while the agent can act. */
export type PilotKey = { readonly mode: PilotMode } | { readonly approved: boolean };

export function pilotKey(key: string, { phase, pilot }: RecordingState): PilotKey | undefined {
  if (phase !== 'acting' || pilot === undefined) return undefined;
  if (key === 'y' || key === 'n') return pilot.proposal && { approved: key === 'y' };
  const mode = PILOT_KEYS[key];
  return mode && { mode };
}

const PILOT_KEYS: Readonly<Record<string, PilotMode>> = { r: 'run', a: 'approve', s: 'step', p: 'pause' };

/** One sentence: what the agent does now. */
export function pilotStatusOf({ phase, pilot }: RecordingState): string {
  if (pilot === undefined || phase !== 'acting') return '';
  const { isDeciding, proposal, mode, report } = pilot;
  if (report !== undefined) return `${report} Say whether it is done, or continue by hand.`;
  if (proposal !== undefined)
    return `${mode === 'run' || mode === 'step' ? 'Next' : 'Proposed'}: ${proposal.says}`;
  if (isDeciding) return 'The agent decides…';
  return mode === 'pause' ? 'The agent waits. Act by hand, or let it continue.' : 'The agent acts…';
}

/**
 * The number of the step whose decision is shown: the one that the user selected, else the proposal, else the latest step of the agent. The
 * number after the last step is that of the proposal.
 */
export function explainedStep(
  { pilot, steps }: RecordingState,
  selected: number | undefined,
): number | undefined {
  if (pilot === undefined) return undefined;
  if (selected !== undefined && steps[selected]?.by === 'agent') return selected;
  if (pilot.proposal !== undefined) return steps.length;
  const latest = steps.findLastIndex(({ by }) => by === 'agent');
  return latest < 0 ? undefined : latest;
}

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

export function statusOf({ phase, judgement, shown, isOwn, pilot, desktop }: RecordingState): string {
  if (phase === 'acting' && pilot !== undefined) return `Agent ${pilot.agent}`;
  if (phase === 'acting' && desktop !== undefined) return `You control ${desktopTitle(desktop)}`;
  if (phase === 'judged' && judgement !== undefined)
    return isOwn ? 'Marked as done by you' : judgement.success ? 'Solved' : 'Not solved';
  if (phase !== 'showing') return PHASE_LABELS[phase];
  if (shown === undefined) return 'Preparing the solution…';
  return shown.at === shown.of
    ? 'The solution is over'
    : `${PHASE_LABELS.showing}: step ${shown.at} of ${shown.of}`;
}

/** Steps of the person can be dropped before they are saved; the last one ends the task. */
export const canDrop = ({ phase, steps }: RecordingState, index: number): boolean =>
  phase === 'judged' && index < steps.length - 1 && steps[index]?.by === undefined;

export const isInUse = ({ phase }: RecordingState): boolean => phase !== 'saved' && phase !== 'discarded';

/** 'Tier 2 · seed 7 · 4 steps; an agent has 15'. */
export function aboutOf({ tier, seed, split, steps, maxSteps, isOwn }: RecordingState): string {
  const part = split === 'train' ? '' : ` · for tests: it cannot be saved`;
  const limit = isOwn ? '' : `; an agent has ${maxSteps}`;
  return `Tier ${tier} · seed ${seed} · ${steps.length} ${steps.length === 1 ? 'step' : 'steps'}${limit}${part}`;
}

/** The user's choice. */
export interface ChosenRecording {
  /** Absent: the daemon chooses one. Only for an agent. */
  readonly task?: string;
  readonly instruction?: string;
  /** The agent that acts. Absent: the person does it by hand. */
  readonly agent?: string;
}

/** The request of an address or an editor. */
export function chosenBy({ task, agent, instruction }: PanelPlace): ChosenRecording | undefined {
  if (task === undefined && agent === undefined) return undefined;
  return {
    ...(task !== undefined && { task }),
    ...(agent !== undefined && { agent }),
    ...(instruction !== undefined && { instruction }),
  };
}

/** Whether a recording in progress is the one that was asked for. */
export const isOf = (
  { task, instruction, pilot }: RecordingState,
  { agent, ...asked }: ChosenRecording,
): boolean =>
  agent === pilot?.agent &&
  (asked.task === undefined || asked.task === task) &&
  (asked.instruction === undefined || asked.instruction === instruction);

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
