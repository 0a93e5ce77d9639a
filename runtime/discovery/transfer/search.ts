// Best-first search over sequences of choices. A desktop cannot be rewound, so each attempt starts anew and deviates from the likeliest
// option at given positions.

import { at } from '../../core/at.ts';

type Turns = ReadonlyMap<number, number>;

/** The choices of one attempt. */
export class ChoiceSequence {
  readonly #turns: Turns;
  readonly counts: number[] = [];

  constructor(turns: Turns) {
    this.#turns = turns;
  }

  /** `options` are sorted, the likeliest first. */
  choose<T>(options: readonly T[]): T | undefined {
    const turn = this.#turns.get(this.counts.length) ?? 0;
    this.counts.push(options.length);
    return options[turn];
  }
}

interface Plan {
  readonly turns: Turns;
  /** Grows with each unlikely choice. */
  readonly cost: number;
}

/** The result of the first successful attempt; undefined if none of `most` attempts succeeds. */
export async function bestFirstSearch<T>(
  most: number,
  attempt: (choices: ChoiceSequence) => Promise<T | undefined>,
): Promise<T | undefined> {
  const plans: Plan[] = [{ turns: new Map(), cost: 0 }];
  for (let tries = 0; tries < most; tries++) {
    const plan = takeLikeliest(plans);
    if (plan === undefined) return undefined;
    const choices = new ChoiceSequence(plan.turns);
    const found = await attempt(choices);
    if (found !== undefined) return found;
    const last = Math.max(-1, ...plan.turns.keys());
    // Deviate at the last choice first.
    for (let place = choices.counts.length - 1; place > last; place--) {
      for (let turn = 1; turn < at(choices.counts, place); turn++)
        plans.push({ turns: new Map([...plan.turns, [place, turn]]), cost: plan.cost + 1 + turn / 2 });
    }
  }
  return undefined;
}

function takeLikeliest(plans: Plan[]): Plan | undefined {
  const least = Math.min(...plans.map(({ cost }) => cost));
  const place = plans.findIndex(({ cost }) => cost === least);
  return place < 0 ? undefined : plans.splice(place, 1)[0];
}
