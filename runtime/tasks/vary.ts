// Template substitution in task files: a file lists values for names, each seed chooses one value per name, and `{name}`
// anywhere in the file stands for the chosen value. A text that is only `{name}` becomes the value itself, number or text.
// Related values are fields of one value, as in {what.sign}.

import type { Random } from '../core/rng.ts';

/** The possible values of each name. */
export type Values = Readonly<Record<string, readonly unknown[]>>;
/** The chosen value of each name. */
export type ChosenValues = Readonly<Record<string, unknown>>;

export class VaryError extends Error {
  override readonly name = 'VaryError';
}

/** Values may contain names, so the size of a result is exponential in the depth without these bounds. */
const MAX_DEPTH = 8;
const MAX_SUBSTITUTIONS = 10_000;
const MAX_TEXT_LENGTH = 1_000_000;

/** Draws one value of each name, independently, in the order of the names. */
export function chosenFrom(values: Values, random: Random): ChosenValues {
  return Object.fromEntries(
    Object.entries(values).map(([name, choices]) => {
      if (choices.length === 0) throw new VaryError(`vary.${name} is empty. Give at least one value.`);
      return [name, choices[random.int(choices.length)]];
    }),
  );
}

/** Replaces every name in braces, including those inside replacements. */
export const filled = (value: unknown, chosen: ChosenValues): unknown =>
  new Substitution(chosen).fill(value, 0);

const NAME = /\{(\w+(?:\.\w+)*)\}/g;

class Substitution {
  readonly #chosen: ChosenValues;
  #count = 0;

  constructor(chosen: ChosenValues) {
    this.#chosen = chosen;
  }

  fill(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.#fillText(value, depth);
    if (Array.isArray(value)) return value.map(each => this.fill(each, depth));
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, this.fill(each, depth)]));
  }

  #fillText(text: string, depth: number): unknown {
    const whole = /^\{(\w+(?:\.\w+)*)\}$/.exec(text)?.[1];
    if (whole !== undefined) return this.#valueOf(whole, depth);
    let length = text.length;
    return text.replace(NAME, (_, name: string) => {
      const value = String(this.#valueOf(name, depth));
      length += value.length;
      if (length > MAX_TEXT_LENGTH) {
        throw new VaryError(
          `A text with {${name}} exceeds ${MAX_TEXT_LENGTH} characters. Use shorter values.`,
        );
      }
      return value;
    });
  }

  #valueOf(name: string, depth: number): unknown {
    this.#count += 1;
    if (this.#count > MAX_SUBSTITUTIONS) {
      throw new VaryError(
        `A task needs more than ${MAX_SUBSTITUTIONS} substitutions. Use fewer names in vary.`,
      );
    }
    if (depth === MAX_DEPTH) {
      throw new VaryError(
        `{${name}} in vary is nested ${MAX_DEPTH} levels deep. Check for a cycle between values.`,
      );
    }
    return this.fill(lookUp(name, this.#chosen), depth + 1);
  }
}

function lookUp(path: string, chosen: ChosenValues): unknown {
  let found: unknown = chosen;
  for (const part of path.split('.')) {
    found = isRecord(found) && Object.hasOwn(found, part) ? found[part] : undefined;
  }
  if (found !== undefined) return found;
  const names = Object.keys(chosen).join(', ') || 'nothing';
  throw new VaryError(`{${path}} has no value. Add it to vary, which has ${names}.`);
}

const isRecord = (value: unknown): value is ChosenValues =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
