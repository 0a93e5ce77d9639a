// The content of the status bar item about a person on a desktop: a demonstration, a desktop of the training that the person has taken over,
// or an agent that follows an instruction live. Pure.

import type { PilotState, RecordingState } from '../../runtime/protocol/daemon/record.ts';
import { desktopTitle } from '../../runtime/protocol/desktop-title.ts';
import { content, type StatusBarContent, warning } from './status.ts';

/** Undefined hides the item: the desktop has been returned. */
export function personStatus(recording: RecordingState | undefined): StatusBarContent | undefined {
  if (recording === undefined || recording.phase === 'saved' || recording.phase === 'discarded')
    return undefined;
  const { phase, pilot, instruction, steps, problem } = recording;
  const failure = phase === 'failed' ? (problem ?? 'The desktop broke.') : pilot?.problem;
  const tooltip = [
    headingOf(recording),
    ...(instruction === '' ? [] : [instruction]),
    steps.length === 1 ? '1 step' : `${steps.length} steps`,
    ...(failure === undefined ? [stateOf(recording)] : [failure]),
    'Click to open the panel Record.',
  ];
  const show = failure === undefined ? content : warning;
  return show(`$(${iconOf(recording)}) ${nameOf(recording)}`, tooltip);
}

function headingOf({ desktop, pilot, task }: RecordingState): string {
  if (pilot !== undefined) return `The agent ${pilot.agent} follows an instruction.`;
  if (desktop !== undefined) return `A person holds ${desktopTitle(desktop)} of the training.`;
  return `A person records a demonstration of ${task}.`;
}

function nameOf({ desktop, pilot }: RecordingState): string {
  if (pilot !== undefined) return pilot.agent;
  return desktop === undefined ? 'Recording' : `${desktopTitle(desktop)} Held`;
}

function iconOf({ phase, desktop, pilot }: RecordingState): string {
  if (phase === 'failed') return 'error';
  if (phase === 'opening' || phase === 'checking') return 'loading~spin';
  if (pilot !== undefined && phase === 'acting') return pilotIcon(pilot);
  return desktop === undefined ? 'record' : 'account';
}

function pilotIcon(pilot: PilotState): string {
  if (pilot.problem !== undefined) return 'error';
  if (pilot.report !== undefined || waitsForApproval(pilot)) return 'question';
  return acts(pilot) ? 'sync~spin' : 'debug-pause';
}

/** In other modes the next action is only shown for a moment. */
const waitsForApproval = ({ mode, proposal }: PilotState): boolean =>
  mode === 'approve' && proposal !== undefined;

const acts = ({ mode, isDeciding }: PilotState): boolean => mode !== 'pause' || isDeciding;

function stateOf({ phase, pilot, judgement }: RecordingState): string {
  switch (phase) {
    case 'opening':
      return 'The desktop is starting.';
    case 'acting':
      return pilot === undefined ? 'The person acts.' : pilotText(pilot);
    case 'showing':
      return 'The scripted solution is shown.';
    case 'judged':
      return judgement?.success === true ? 'Judged as a success.' : 'Judged as a failure.';
    case 'checking':
      return 'The steps are replayed before they are saved.';
    default:
      return '';
  }
}

function pilotText(pilot: PilotState): string {
  const { report, proposal } = pilot;
  if (report !== undefined) return `${report} Say whether it is done.`;
  if (proposal !== undefined && waitsForApproval(pilot)) return `Waits for your approval: ${proposal.says}.`;
  return acts(pilot) ? 'It acts.' : 'It is paused, and you can act.';
}
