// The check of an update before a learner takes it: whole, so that an invalid row leaves no part of the update applied. Pure.

import type { TokenUpdate, UpdateRow } from './learner.ts';

/** Throws a RangeError that names the row. */
export function checkUpdate({ id, rows, clip }: TokenUpdate): void {
  if (rows.length === 0)
    throw new RangeError(`The update '${id}' has no rows. Make an update from at least one step.`);
  for (const [index, row] of rows.entries()) {
    const wrong = whatIsWrong(row, clip !== undefined);
    if (wrong !== undefined)
      throw new RangeError(
        `The update '${id}' is not applied: row ${index} (turn ${row.origin.index} of trajectory '${row.origin.trajectory}') ${wrong}`,
      );
  }
}

function whatIsWrong({ step, weights, origin }: UpdateRow, needsOld: boolean): string | undefined {
  const { length } = step.reply;
  if (length === 0) return 'has a reply without tokens. Leave out steps without a reply.';
  if (weights.length !== length)
    return `has ${length} tokens in its reply and ${weights.length} weights. Each token needs one.`;
  const odd = weights.find(weight => !Number.isFinite(weight));
  if (odd !== undefined)
    return `has a weight of ${odd}. Compute the weights from finite advantages and log-probabilities.`;
  if (needsOld && origin.old === undefined)
    return "has no log-probabilities in 'old', which an update with a clip needs. Take them from the start of the batch.";
  for (const name of ['rollout', 'old', 'reference'] as const) {
    const count = origin[name]?.length ?? length;
    if (count !== length)
      return `has ${length} tokens in its reply and ${count} log-probabilities in '${name}'. Each token needs one.`;
  }
  return undefined;
}
