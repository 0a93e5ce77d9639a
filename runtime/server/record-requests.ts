// Executes the requests about recordings, which belong to the client that sends them.

import type { RecordingOwner, Recordings } from '../person/recordings.ts';
import type { DaemonMethod, DaemonRequest } from '../protocol/daemon/messages.ts';
import { parseDesktopId } from './parse-ids.ts';
import type { SocketReply } from './socket-client.ts';
import { toStepDetails } from './trajectories/trajectory-view.ts';

export type RecordMethod = Extract<DaemonMethod, `record.${string}`>;
export type RecordRequest = Extract<DaemonRequest, { method: RecordMethod }>;

export const isRecordRequest = (request: DaemonRequest): request is RecordRequest =>
  request.method.startsWith('record.');

export async function executeRecordRequest(
  request: RecordRequest,
  recordings: Recordings,
  owner: RecordingOwner,
): Promise<SocketReply> {
  switch (request.method) {
    case 'record.tasks':
      return { result: await recordings.tasks(request.params) };
    case 'record.start':
      return { result: await recordings.start(request.params, owner) };
    case 'record.run':
      return { result: await recordings.run(request.params, owner) };
    case 'record.takeOver': {
      const { desktop, who } = request.params;
      return { result: await recordings.takeOver({ desktop: parseDesktopId(desktop), who }, owner) };
    }
    case 'record.now':
      return { result: recordings.now() };
    case 'record.look': {
      const { recording, frame, change } = request.params;
      const { result, png } = await recordings.of(recording, owner).look(frame, change);
      return { result, bytes: png };
    }
    case 'record.input': {
      const { recording, inputs } = request.params;
      return { result: await recordings.of(recording, owner).input(inputs) };
    }
    case 'record.pilot': {
      const { recording, mode } = request.params;
      return { result: recordings.of(recording, owner).fly(mode) };
    }
    case 'record.approve': {
      const { recording, step, approved } = request.params;
      return { result: recordings.of(recording, owner).approve(step, approved) };
    }
    case 'record.decision': {
      const { recording, step } = request.params;
      const { from, steps } = recordings.of(recording, owner).decision(step);
      return { result: { from, each: toStepDetails(steps, undefined) } };
    }
    case 'record.finish': {
      const { recording, ending, isDone } = request.params;
      return { result: await recordings.of(recording, owner).finish(ending, isDone) };
    }
    case 'record.solution':
      return { result: await recordings.of(request.params.recording, owner).showSolution() };
    case 'record.restart':
      return { result: await recordings.of(request.params.recording, owner).restart() };
    case 'record.save': {
      const { recording, drop } = request.params;
      return { result: await recordings.of(recording, owner).save(drop) };
    }
    case 'record.discard':
      return { result: await recordings.of(request.params.recording, owner).discard() };
    case 'record.leave':
      await recordings.leave(request.params.recording, owner);
      return { result: {} };
  }
}
