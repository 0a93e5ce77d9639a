// check_left_panel: the panel of slides is open in Impress.

import { descendants, rootIfXml } from '../../formats/xml.ts';
import { type Metric, pass, textOf } from '../metric.ts';

/** The accessibility tree has a document frame named "Slides View". */
export const checkLeftPanel: Metric = result => {
  const root = rootIfXml(textOf(result));
  if (root === undefined) return 0;
  return pass(
    [root, ...descendants(root, 'document-frame')].some(
      element => element.tagName === 'document-frame' && element.getAttribute('name') === 'Slides View',
    ),
  );
};
