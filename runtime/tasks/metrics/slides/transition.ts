// check_transition: a slide has a transition of one type.

import { within } from '../../formats/presentation/dom.ts';
import { type Metric, MetricError, pass, rulesOf } from '../metric.ts';
import { rootOfPart } from './package-part.ts';

/** The slide is found by the name of its file, which need not be its place in the presentation. */
export const checkTransition: Metric = (result, expected) => {
  const { slide_idx: index, transition_type: type } = rulesOf(expected);
  if (typeof index !== 'number' || typeof type !== 'string')
    throw new MetricError(
      `check_transition has the rules slide_idx ${JSON.stringify(index)} and transition_type ${JSON.stringify(type)}. ` +
        'Use a number and a name, such as 0 and "dissolve".',
    );
  const root = rootOfPart(result, `ppt/slides/slide${index + 1}.xml`);
  const transition = root && within(root, 'p:transition')[0];
  return pass(transition !== undefined && within(transition, `p:${type}`).length > 0);
};
