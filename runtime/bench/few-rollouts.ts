// Settings of a training that only imitates: its rollouts cost time and train nothing.

/** As few as a run can have. */
export const FEW_ROLLOUTS = {
  ...{ stalenessUpdates: 0, trajectoriesPerBatch: 2, trajectoriesAhead: 2 },
  ...{ rollouts: 2, batchesAhead: 1, ahead: 1 },
};
