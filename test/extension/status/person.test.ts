// The status bar item about a person on a desktop.

import { describe, expect, test } from 'vitest';
import { personStatus } from '../../../extension/status/person.ts';
import {
  type PilotState,
  RECORDING_PHASES,
  type RecordingState,
  recordingState,
} from '../../../runtime/protocol/daemon/record.ts';

const STATE: RecordingState = recordingState.parse({
  ...{ recording: 'r', change: 1, phase: 'acting', kind: 'pocket', task: 'mail-star', seed: 7 },
  ...{ split: 'train', tier: 2, instruction: 'Star the mail.', isOwn: false, hasSolution: true },
  ...{ maxSteps: 15, isDeterministic: true },
  steps: [{ action: { kind: 'wait' }, says: 'wait' }],
});
const PILOT: PilotState = { agent: 'tars', mode: 'approve', isDeciding: false };
const text = (state: RecordingState): string => personStatus(state)?.text ?? 'hidden';

test('is hidden unless a desktop is in use', () => {
  expect(personStatus(undefined)).toBeUndefined();
  const shown = RECORDING_PHASES.filter(phase => personStatus({ ...STATE, phase }) !== undefined);
  expect(shown).toEqual(RECORDING_PHASES.filter(phase => phase !== 'saved' && phase !== 'discarded'));
});

test('tells a demonstration, a taken desktop and an agent apart', () => {
  expect(text(STATE)).toBe('$(record) Recording');
  expect(text({ ...STATE, desktop: 'd3' })).toBe('$(account) Desktop 4 Held');
  expect(text({ ...STATE, pilot: PILOT })).toMatch(/ tars$/);
});

test('shows whether the agent acts, waits for approval or for a judgement, or is paused', () => {
  const proposal = { action: { kind: 'wait' } as const, says: 'wait' };
  const shown = (pilot: PilotState) => personStatus({ ...STATE, pilot });
  expect(shown({ ...PILOT, isDeciding: true })?.text).toBe('$(sync~spin) tars');
  expect(shown({ ...PILOT, mode: 'pause' })?.text).toBe('$(debug-pause) tars');
  expect(shown({ ...PILOT, proposal })).toMatchObject({
    text: '$(question) tars',
    tooltip: expect.arrayContaining(['Waits for your approval: wait.']),
  });
  // It is performed without approval.
  expect(shown({ ...PILOT, mode: 'run', proposal })?.text).toBe('$(sync~spin) tars');
  expect(shown({ ...PILOT, report: 'The agent reports that it is done.' })).toMatchObject({
    text: '$(question) tars',
    tooltip: expect.arrayContaining(['The agent reports that it is done. Say whether it is done.']),
  });
});

describe('a problem is a warning with its reason', () => {
  test.each([
    { ...STATE, phase: 'failed', problem: 'It broke.' },
    { ...STATE, pilot: { ...PILOT, problem: 'It broke.' } },
  ] satisfies RecordingState[])('%#', state => {
    const status = personStatus(state);
    expect(status?.isWarning).toBe(true);
    expect(status?.tooltip).toContain('It broke.');
  });
});

test('a screen reader gets the task, the instruction and the number of steps', () => {
  const { tooltip = [] } = personStatus(STATE) ?? {};
  expect(tooltip.join('. ')).toMatch(/mail-star.*Star the mail\..*1 step/);
});
