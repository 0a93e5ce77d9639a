// Where there are several ways to go on, all are tried, those with the fewest unlikely turns first. Each try begins anew, as a
// desktop cannot be taken back, and is told at which of its choices to turn from the likeliest.

type Turns = ReadonlyMap<number, number>;

/** One try: it is asked at each choice. */
export class Choices {
  readonly #turns: Turns;
  readonly counts: number[] = [];

  constructor(turns: Turns) {
    this.#turns = turns;
  }

  /** Options are in order, the likeliest first; undefined where there are none. */
  choose<T>(options: readonly T[]): T | undefined {
    const turn = this.#turns.get(this.counts.length) ?? 0;
    this.counts.push(options.length);
    return options[turn];
  }
}

interface Plan {
  readonly turns: Turns;
  /** How unlikely it is. */
  readonly cost: number;
}

/** The first try that comes to something; undefined where none of so many does. */
export async function firstOf<T>(
  most: number,
  attempt: (choices: Choices) => Promise<T | undefined>,
): Promise<T | undefined> {
  const plans: Plan[] = [{ turns: new Map(), cost: 0 }];
  for (let tries = 0; tries < most; tries++) {
    const plan = takeLikeliest(plans);
    if (plan === undefined) return undefined;
    const choices = new Choices(plan.turns);
    const found = await attempt(choices);
    if (found !== undefined) return found;
    const last = Math.max(-1, ...plan.turns.keys());
    // What was chosen last is doubted first.
    for (let at = choices.counts.length - 1; at > last; at--) {
      for (let turn = 1; turn < (choices.counts[at] ?? 0); turn++)
        plans.push({ turns: new Map([...plan.turns, [at, turn]]), cost: plan.cost + 1 + turn / 2 });
    }
  }
  return undefined;
}

function takeLikeliest(plans: Plan[]): Plan | undefined {
  const least = Math.min(...plans.map(({ cost }) => cost));
  const place = plans.findIndex(({ cost }) => cost === least);
  return place < 0 ? undefined : plans.splice(place, 1)[0];
}
