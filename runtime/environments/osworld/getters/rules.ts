// The getter of rules with dates relative to today.

import * as z from 'zod';
import { safeParse } from '../../../core/safe-parse.ts';
import { taskError } from '../../task-function.ts';
import { type Day, dayAt, formatDay, relativeDay, relativeEnd } from '../relative-date.ts';
import { checked, type OsworldFunction, text } from '../task-run.ts';

const THING = 'getter rule_relativeTime';

const rules = z.looseObject({
  relativeTime: z.object({ from: text, to: text.optional() }),
  expected: z.record(z.string(), z.unknown()),
  timezone: text.optional(),
});

const formats = z.union([z.string(), z.array(z.string())]);

/** The keys of `expected` that have the parts of a date, when it is written in parts. */
const SPLIT = { from: ['puDay', 'puMonth', 'puYear'], to: ['doDay', 'doMonth', 'doYear'] };

export const RULE_GETTERS: Readonly<Record<string, OsworldFunction<unknown>>> = {
  rule_relativeTime: checked(THING, { rules }, async ({ now, timeZone }, { rules: given }) => {
    const { relativeTime, expected, timezone } = given;
    const { from, to } = relativeTime;
    const today = dayAt(now(), zoneOf(timezone ?? timeZone));
    const filled = { ...expected };
    const fill = (keys: readonly string[], day: Day) => {
      for (const key of keys) {
        const format = safeParse(formats, expected[key]).data;
        if (format === undefined)
          throw taskError(
            THING,
            `expected.${key} is ${JSON.stringify(expected[key])}. Write the format of the date, or a list of formats.`,
          );
        filled[key] =
          typeof format === 'string' ? formatDay(format, day) : format.map(each => formatDay(each, day));
      }
    };
    const isRange = to !== undefined;
    fill(keysOf(from, 'from', isRange ? 'from' : 'time'), required(from, relativeDay(from, today)));
    if (isRange) fill(keysOf(to, 'to', 'to'), required(to, relativeEnd(to, today, from)));
    return { ...given, expected: filled };
  }),
};

const keysOf = (name: string, side: 'from' | 'to', key: string): readonly string[] =>
  name.endsWith(' split') ? SPLIT[side] : [key];

function required(name: string, day: Day | undefined): Day {
  if (day !== undefined) return day;
  throw taskError(THING, `${JSON.stringify(name)} is not a known day. Use one such as "next Monday".`);
}

/** An unknown zone counts as UTC, as in OSWorld. */
function zoneOf(name: string): string {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
}
