// check_left_panel: the panel of slides is open in Impress.

import { descendants, type Element, parseXml, rootOf, XmlError } from '../../formats/xml.ts';
import { type Metric, pass, textOf } from '../metric.ts';

/** The accessibility tree has a document frame named "Slides View". */
export const checkLeftPanel: Metric = result => {
  const root = rootOfTree(textOf(result));
  if (root === undefined) return 0;
  return pass(
    [root, ...descendants(root, 'document-frame')].some(
      element => element.tagName === 'document-frame' && element.getAttribute('name') === 'Slides View',
    ),
  );
};

function rootOfTree(text: string | undefined): Element | undefined {
  if (text === undefined) return undefined;
  try {
    return rootOf(parseXml(text));
  } catch (error) {
    if (error instanceof XmlError) return undefined;
    throw error;
  }
}
