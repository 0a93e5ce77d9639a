// Parses the ids in the parameters of a request. Throws a RequestError that names the parameter.

import { messageOf } from '../core/errors.ts';
import {
  type DesktopId,
  desktopId,
  type RunId,
  runId,
  type TrajectoryId,
  trajectoryId,
} from '../core/ids.ts';
import { RequestError } from './request-error.ts';

/** Accepts runs whose state is unknown, since their state file is damaged or of another version. */
export const parseRunId = (name: string): RunId => parsed('params.run', () => runId(name));

export const parseDesktopId = (name: string): DesktopId => parsed('params.desktop', () => desktopId(name));

export const parseTrajectoryId = (name: string): TrajectoryId =>
  parsed('params.trajectory', () => trajectoryId(name));

export function parsed<Value>(field: string, parse: () => Value): Value {
  try {
    return parse();
  } catch (error) {
    throw new RequestError('bad_request', messageOf(error), field);
  }
}
