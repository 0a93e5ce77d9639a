// Judges the clicks of the check: whether they land, and if not, which setting would correct them. Pure.

import type { Profile, ProfileId } from '../agents/model/profile.ts';
import { centre, contains } from '../core/screen.ts';
import { type EndpointCause, isTemporary } from '../endpoints/failure.ts';
import type { ClickSample } from './clicks.ts';
import { type FrameFit, type FrameRule, fitFrame, isResized, type NamedFrame } from './frame-fit.ts';
import { fittingProfiles, profileRemedy } from './profile-fit.ts';
import {
  type ClickRow,
  caution,
  type EndpointFinding,
  fine,
  median,
  problem,
  type SideCount,
} from './report.ts';
import { SIDES, sizeText } from './screens.ts';

const isLanded = ({ outcome, target }: ClickSample): boolean =>
  outcome.kind === 'clicked' && contains(target, outcome.at);

/** In the order of the screens. */
export function clickRows(samples: readonly ClickSample[], hasImages: boolean): readonly ClickRow[] {
  const groups = [...new Set(samples.map(({ group }) => group))];
  return groups.map(group => {
    const own = samples.filter(sample => sample.group === group);
    const [first] = own;
    const distance = median(own.flatMap(distanceOf));
    return {
      group,
      ...(hasImages && first !== undefined && { sent: sizeText(first.sent) }),
      ...countOf(own),
      bySide: SIDES.flatMap((side): readonly SideCount[] => {
        const ofSide = own.filter(sample => sample.side === side);
        return ofSide.length === 0 ? [] : [{ side, ...countOf(ofSide) }];
      }),
      ...(distance !== undefined && { distance: Math.round(distance) }),
    };
  });
}

const countOf = (samples: readonly ClickSample[]) => ({
  targets: samples.length,
  landed: samples.filter(isLanded).length,
});

function distanceOf({ outcome, target }: ClickSample): readonly number[] {
  if (outcome.kind !== 'clicked') return [];
  const middle = centre(target);
  return [Math.hypot(outcome.at.x - middle.x, outcome.at.y - middle.y)];
}

/** Below it, an agent misses too often to be useful. */
const GOOD_SHARE = 0.9;

export function clickFindings(
  samples: readonly ClickSample[],
  profile: Profile,
  hasImages: boolean,
): readonly EndpointFinding[] {
  const answered = samples.filter(({ outcome }) => outcome.kind !== 'failed');
  // The finding about the format explains replies that nobody can read.
  const isReadable = answered.some(
    ({ outcome, reply }) => outcome.kind !== 'malformed' || reply?.numbers !== undefined,
  );
  return [...(isReadable ? [landingFinding(answered, profile, hasImages)] : []), ...failureFindings(samples)];
}

function landingFinding(
  samples: readonly ClickSample[],
  profile: Profile,
  hasImages: boolean,
): EndpointFinding {
  const name = hasImages ? 'Clicks' : 'Choices';
  const landed = samples.filter(isLanded).length;
  const says = `${landed} of ${samples.length} ${hasImages ? 'clicks land on their target' : 'choices of a listed element are right'}`;
  if (landed >= GOOD_SHARE * samples.length) {
    const distance = median(samples.flatMap(distanceOf));
    return fine(name, hasImages ? `${says}, ${Math.round(distance ?? 0)} px from its middle (median)` : says);
  }
  const fit: FrameFit = hasImages ? fitFrame(samples.flatMap(aimed), profile.coordinates) : { kind: 'own' };
  if (fit.kind !== 'own') return mismatch(name, says, fit, profile, samples);
  const others = othersText(samples);
  if (!hasImages)
    return caution(
      name,
      `${says}${others}`,
      'The model is too weak for lists. Use a larger or less quantised model.',
    );
  if (landed > 0)
    return caution(
      name,
      `${says}, and no other coordinate rule fits better${others}`,
      'The model points badly. Use a larger or less quantised model; quantised local models often point badly.',
    );
  return problem(
    name,
    `${says}, and no coordinate rule explains where they land${others}`,
    'Check that the server passes images to the model, and that the profile is that of the model.',
  );
}

/** Turns without a reply: a server may be slow, or reject some screens only, such as large ones. */
function failureFindings(samples: readonly ClickSample[]): readonly EndpointFinding[] {
  const failed = samples.flatMap(({ group, outcome }) =>
    outcome.kind === 'failed' ? [{ group, ...outcome }] : [],
  );
  const [first] = failed;
  if (first === undefined) return [];
  const groups = [...new Set(failed.map(({ group }) => group))].join(', ');
  const says = `${failed.length} of ${samples.length} failed (${groups}): ${first.why}`;
  const remedy = generalRemedy(first.reason);
  return failed.length === samples.length
    ? [problem('Turns', says, remedy ?? READ_LOG)]
    : [
        caution(
          'Turns',
          says,
          remedy ?? 'Use desktops of the other sizes, or enlarge the context of the server.',
        ),
      ];
}

const READ_LOG = 'Read the log of the server.';

/** For failures that do not depend on the screen. */
function generalRemedy(reason: EndpointCause | undefined): string | undefined {
  if (reason === 'timeout' || reason === 'rate-limited')
    return "Raise 'limits.timeoutSeconds', or lower 'limits.concurrency'.";
  if (reason === 'budget') return 'Raise the limit, or check without limits.';
  if (reason === 'unauthorized')
    return "Correct the key that the setting 'key' names, or the account that it belongs to.";
  return reason !== undefined && isTemporary(reason) ? READ_LOG : undefined;
}

/** Replies without a click, for the text behind a count. */
function othersText(samples: readonly ClickSample[]): string {
  const kinds = { other: 'another action', malformed: 'no readable action' } as const;
  const parts = (['other', 'malformed'] as const).flatMap(kind => {
    const number = samples.filter(({ outcome }) => outcome.kind === kind).length;
    return number === 0 ? [] : [`${number} with ${kinds[kind]}`];
  });
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

const aimed = ({ screen, sent, target, reply }: ClickSample) =>
  reply?.numbers === undefined ? [] : [{ screen, sent, target, numbers: reply.numbers }];

function mismatch(
  name: string,
  says: string,
  fit: Exclude<FrameFit, { kind: 'own' }>,
  profile: Profile,
  samples: readonly ClickSample[],
): EndpointFinding {
  const would = `${fit.landed} of ${samples.length} would`;
  const expects = `the profile '${profile.id}' reads ${ruleText(profile.coordinates)}`;
  switch (fit.kind) {
    case 'other': {
      const { rule, isSwapped } = fit.frame;
      const order = isSwapped ? ', with y before x' : '';
      return problem(
        name,
        `${says}; ${would} if the numbers were ${ruleText(rule)}${order}, but ${expects}`,
        otherRemedy(fit.frame, samples, profile.id),
      );
    }
    case 'fixed':
      return problem(
        name,
        `${says}; ${would} if the numbers were pixels of a picture of ${sizeText(fit.picture)} on every screen, but ${expects}`,
        `Use a model of the family of '${profile.id}', or a profile that fits this model.`,
      );
    case 'resized': {
      const changed = fit.pictures
        .filter(isResized)
        .map(({ sent, picture }) => `${sizeText(sent)} as ${sizeText(picture)}`);
      return problem(
        name,
        `${says}; ${would} if the server resized images before the model sees them: ${changed.join(', ')}`,
        'Raise the image limit of the server (vLLM: --mm-processor-kwargs \'{"max_pixels": …}\'; llama.cpp: --image-max-tokens), or use desktops that it does not resize.',
      );
    }
  }
}

function ruleText(rule: FrameRule): string {
  switch (rule.kind) {
    case 'sent-pixels':
      return 'pixels of the sent image';
    case 'screen-pixels':
      return 'pixels of the screen before it is resized';
    case 'relative':
      return `relative, from 0 to ${rule.max}`;
  }
}

function otherRemedy(
  { rule, isSwapped }: NamedFrame,
  samples: readonly ClickSample[],
  profile: ProfileId,
): string {
  const fitting = fittingProfiles(samples, profile);
  if (fitting !== undefined) return profileRemedy(fitting);
  if (rule.kind === 'screen-pixels' && !isSwapped)
    return "The model scales coordinates itself. Set 'profile' to 'generic', which sends screens of up to 1.15 megapixels unchanged.";
  return 'No profile reads such numbers. Use another model, or elements in place of coordinates.';
}
