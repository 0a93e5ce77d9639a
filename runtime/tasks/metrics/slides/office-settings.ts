// Settings of LibreOffice in registrymodifications.xcu: check_presenter_console_disable and check_auto_saving_time.

import { strip } from '../../formats/python/text.ts';
import { attribute, child, children, descendants, type Element, rootIfXml } from '../../formats/xml.ts';
import { isFile, type Metric, MetricError, pass, rulesOf, textOf } from '../metric.ts';

/** The first setting of the presenter console decides. */
export const checkPresenterConsoleDisabled: Metric = result => {
  const [setting] = itemsOf(result, '/org.openoffice.Office.Impress/Misc/Start')
    .flatMap(item => children(item, 'prop'))
    .filter(property => attribute(property, 'name') === 'EnablePresenterScreen');
  return pass(child(setting, 'value')?.textContent?.toLowerCase() === 'false');
};

/** The interval of automatic saving in minutes. The last item with one decides. */
export const checkAutoSavingTime: Metric = (result, expected) => {
  const { minutes } = rulesOf(expected);
  if (typeof minutes !== 'number')
    throw new MetricError(
      `check_auto_saving_time has the rule minutes ${JSON.stringify(minutes)}. Use a number.`,
    );
  const settings = itemsOf(result, '/org.openoffice.Office.Common/Save/Document').flatMap(item =>
    descendants(item, 'prop')
      .filter(property => attribute(property, 'name') === 'AutoSaveTimeIntervall')
      .slice(0, 1)
      .map(property => descendants(property, 'value')[0]?.textContent ?? ''),
  );
  const text = strip(settings.at(-1) ?? '');
  return pass(/^[+-]?\d+$/.test(text) && Number(text) === minutes);
};

/** The items of a path; none if the settings cannot be read. */
function itemsOf(result: unknown, path: string): readonly Element[] {
  const root = rootIfXml(isFile(result) ? result.bytes : textOf(result));
  return root ? descendants(root, 'item').filter(item => attribute(item, 'path') === path) : [];
}
