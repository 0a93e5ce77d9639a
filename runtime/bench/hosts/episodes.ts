// The outcome of every ordered episode: compares the orders, the stored trajectories and the trained batches of a run. Pure.

/** Nothing is forgotten: what a run does twice is here twice. */
export interface EpisodeRecords {
  /** Orders for training episodes. */
  readonly ordered: readonly string[];
  /** Durable trajectories, with the order that each one answers. */
  readonly stored: readonly StoredEpisode[];
  /** The trajectories of each batch. */
  readonly batches: readonly ReadonlySet<string>[];
}

interface StoredEpisode {
  readonly trajectory: string;
  readonly order: string;
  /** False for an episode that the infrastructure broke. */
  readonly isJudged: boolean;
}

export interface EpisodeAccount {
  readonly ordered: number;
  /** Orders without a judged trajectory. */
  readonly lost: number;
  /** Orders that were trained more than once, by one trajectory or by two. */
  readonly twice: number;
  /** Trajectories beyond the first of an order: two hosts played it, or one sent it again. */
  readonly repeated: number;
  readonly trained: number;
}

export function accountOfEpisodes({ ordered, stored, batches }: EpisodeRecords): EpisodeAccount {
  const orderOf = new Map(stored.map(({ trajectory, order }) => [trajectory, order]));
  const trainings = new Map<string, number>();
  for (const trajectory of batches.flatMap(batch => [...batch])) {
    const order = orderOf.get(trajectory) ?? trajectory;
    trainings.set(order, (trainings.get(order) ?? 0) + 1);
  }
  return {
    ordered: ordered.length,
    lost: openOrders(ordered, stored).length,
    twice: [...trainings.values()].filter(count => count > 1).length,
    repeated: stored.length - new Set(stored.map(({ order }) => order)).size,
    trained: trainings.size,
  };
}

/** Of these orders, those that no judged trajectory answers. */
export function openOrders(ordered: readonly string[], stored: EpisodeRecords['stored']): readonly string[] {
  const judged = new Set(stored.filter(({ isJudged }) => isJudged).map(({ order }) => order));
  return ordered.filter(order => !judged.has(order));
}
