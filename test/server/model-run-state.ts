// A training of a model agent as it might look after so many seconds, with a server of each phase.

import type { RunServerState } from '../../runtime/protocol/daemon/model-run.ts';
import type { RunState } from '../../runtime/protocol/daemon/state.ts';
import { spentState } from '../../runtime/run/spending.ts';
import { playedState } from './played-state.ts';

export const SERVERS: readonly RunServerState[] = [
  {
    name: 'tars.1',
    phase: 'serving',
    version: 118,
    model: 'tars-v118',
    inFlight: 14,
    replies: 20_412,
    latencyMs: 512,
  },
  {
    name: 'tars.2',
    phase: 'draining',
    version: 117,
    model: 'tars-v117',
    inFlight: 3,
    replies: 19_870,
    latencyMs: 533,
  },
  {
    name: 'tars.3',
    phase: 'updating',
    version: 117,
    model: 'tars-v117',
    inFlight: 0,
    replies: 21_004,
    latencyMs: 498,
  },
  {
    ...{ name: 'tars.4', phase: 'failed', inFlight: 1, replies: 312, latencyMs: 1830 },
    problem: 'The server at http://gpu-4.example:8000/v1 did not answer within 120 s. Check that it runs.',
  },
  {
    ...{ name: 'tars.5', phase: 'out', inFlight: 0, replies: 0 },
    problem: 'It reports version 12 of the weights, but was given 118. It is tried again at the next update.',
  },
];

export function modelRunState(seconds: number, changes: Partial<RunState> = {}): RunState {
  const played = playedState(seconds);
  return {
    ...played,
    about: { ...played.about, preset: 'dart-7b', mode: 'screenshot', agent: 'tars' },
    learner: {
      ...{ kind: 'tinker', place: 'http://gpu-0.example:8000', model: 'ByteDance-Seed/UI-TARS-1.5-7B' },
      ...{ step: 118, stepSeconds: 14.2, batches: 1 },
    },
    servers: [...SERVERS],
    spent: spentState(
      {
        ...{ promptTokens: 12_300_000, completionTokens: 810_000, hardwareSeconds: 1675.6, money: 2.946 },
        successes: 1204,
      },
      played.curve,
    ),
    ...changes,
  };
}
