// Task files that vary: a file may list values for names, and use the names in braces anywhere; each seed chooses one value
// of each. A text that is nothing but a name in braces becomes the value itself, number or text. Values that belong together
// are the fields of one value, as in {what.sign}.

import type { Random } from '../contracts/world.ts';

export type Values = Readonly<Record<string, readonly unknown[]>>;
export type Chosen = Readonly<Record<string, unknown>>;

export class VaryError extends Error {
  override readonly name = 'VaryError';
}

/** One value of each name, each drawn on its own, in the order of the names. */
export function chosenFrom(values: Values, random: Random): Chosen {
  return Object.fromEntries(
    Object.entries(values).map(([name, choices]) => {
      if (choices.length === 0) throw new VaryError(`vary.${name} is empty: give at least one value.`);
      return [name, choices[random.int(choices.length)]];
    }),
  );
}

const NAME = /\{(\w+(?:\.\w+)*)\}/g;

/** The same value with every name in braces replaced, also inside what was put in. A name that was not chosen is an error. */
export function filled(value: unknown, chosen: Chosen, depth = 0): unknown {
  if (depth > 8) throw new VaryError('The values of vary refer to one another in a circle.');
  if (typeof value === 'string') return filledText(value, chosen, depth);
  if (Array.isArray(value)) return value.map(each => filled(each, chosen, depth));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filled(each, chosen, depth)]));
}

function filledText(text: string, chosen: Chosen, depth: number): unknown {
  const whole = /^\{(\w+(?:\.\w+)*)\}$/.exec(text)?.[1];
  if (whole !== undefined) return filled(looked(whole, chosen), chosen, depth + 1);
  return text.replace(NAME, (_, name: string) => String(filled(looked(name, chosen), chosen, depth + 1)));
}

function looked(name: string, chosen: Chosen): unknown {
  let found: unknown = chosen;
  for (const part of name.split('.'))
    found = isRecord(found) && Object.hasOwn(found, part) ? found[part] : undefined;
  if (found !== undefined) return found;
  throw new VaryError(`{${name}} is used, and vary has only ${Object.keys(chosen).join(', ') || 'nothing'}.`);
}

const isRecord = (value: unknown): value is Chosen =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
