// Settings of a training that only imitates: its rollouts and evaluations cost time and teach nothing.

/** As few rollouts as a run can have. */
export const FEW_ROLLOUTS = {
  ...{ stalenessUpdates: 0, trajectoriesPerBatch: 2, trajectoriesAhead: 2 },
  ...{ rollouts: 2, batchesAhead: 1, ahead: 1 },
};

/** Between evaluations: longer than any training. */
export const NEVER_SECONDS = 86_400;
