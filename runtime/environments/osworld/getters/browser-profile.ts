// Getters of what Chrome has written into its profile on the machine.

import { parsedJson } from '../../../core/json.ts';
import { isRecord } from '../../../tasks/metrics/metric.ts';
import { checked, type OsworldFunction, type TaskRun } from '../task-run.ts';

const PROFILE = '~/.config/google-chrome';
const PREFERENCES = 'Default/Preferences';
const LOCAL_STATE = 'Local State';

/** The value of `restore_on_startup`. */
const OPEN_NEW_TAB = 5;

const DEFAULT_FONTS = { default_fixed_font_size: 13, default_font_size: 16 };

async function profileFile({ machine }: TaskRun, name: string): Promise<unknown> {
  const bytes = await machine.readFile(`${PROFILE}/${name}`);
  return bytes === undefined ? undefined : parsedJson(new TextDecoder().decode(bytes));
}

/** The value at a path of names; undefined where one is missing. */
function valueAt(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const name of path) found = isRecord(found) ? found[name] : undefined;
  return found;
}

/** A value of a file of the profile, or the browser's default. */
const setting = (
  type: string,
  file: string,
  path: readonly string[],
  convert: (value: unknown) => unknown,
): OsworldFunction<unknown> =>
  checked(`getter ${type}`, {}, async run => convert(valueAt(await profileFile(run, file), path)));

const orElse = (fallback: unknown) => (value: unknown) => value ?? fallback;
const words = (isTrue: (value: unknown) => boolean) => (value: unknown) => (isTrue(value) ? 'true' : 'false');
const isTruthy = words(value => Boolean(value) && !(isRecord(value) && Object.keys(value).length === 0));

/** One value of each extension of the profile. */
const extensions = (type: string, path: readonly string[]): OsworldFunction<unknown> =>
  setting(type, PREFERENCES, ['extensions', 'settings'], settings =>
    Object.values(isRecord(settings) ? settings : {})
      .map(each => valueAt(each, path))
      .filter(value => value !== undefined),
  );

export const PROFILE_GETTERS: Readonly<Record<string, OsworldFunction<unknown>>> = {
  default_search_engine: setting(
    'default_search_engine',
    PREFERENCES,
    ['default_search_provider_data', 'template_url_data', 'short_name'],
    orElse('Google'),
  ),
  enabled_experiments: setting(
    'enabled_experiments',
    LOCAL_STATE,
    ['browser', 'enabled_labs_experiments'],
    orElse([]),
  ),
  profile_name: setting('profile_name', PREFERENCES, ['profile', 'name'], orElse(null)),
  chrome_language: setting('chrome_language', LOCAL_STATE, ['intl', 'app_locale'], orElse('en-US')),
  chrome_font_size: setting('chrome_font_size', PREFERENCES, ['webkit', 'webprefs'], orElse(DEFAULT_FONTS)),
  bookmarks: checked('getter bookmarks', {}, async run => {
    const bookmarks = await profileFile(run, 'Default/Bookmarks');
    return bookmarks === undefined ? [] : (valueAt(bookmarks, ['roots']) ?? {});
  }),
  enable_do_not_track: setting('enable_do_not_track', PREFERENCES, ['enable_do_not_track'], isTruthy),
  enable_enhanced_safety_browsing: setting(
    'enable_enhanced_safety_browsing',
    PREFERENCES,
    ['safebrowsing', 'enhanced'],
    isTruthy,
  ),
  enable_safe_browsing: setting('enable_safe_browsing', PREFERENCES, ['safebrowsing'], settings =>
    ['enhanced', 'enabled'].some(name => valueAt(settings, [name]) === true) ? 'true' : 'false',
  ),
  /** A new profile has no `session`, and opens a new tab. For one that cannot be read OSWorld returns "Google". */
  new_startup_page: setting('new_startup_page', PREFERENCES, [], profile => {
    if (!isRecord(profile)) return 'Google';
    const isNewTab = valueAt(profile, ['session', 'restore_on_startup']) === OPEN_NEW_TAB;
    return profile['session'] === undefined || isNewTab ? 'true' : 'false';
  }),
  data_delete_automacally: setting(
    'data_delete_automacally',
    PREFERENCES,
    ['profile', 'default_content_setting_values'],
    words(value => value !== undefined && value !== null),
  ),
  find_unpacked_extension_path: extensions('find_unpacked_extension_path', ['path']),
  find_installed_extension_name: extensions('find_installed_extension_name', ['manifest', 'name']),
  /** The texts of the `.desktop` files on the desktop, by name. */
  shortcuts_on_desktop: checked('getter shortcuts_on_desktop', {}, async ({ machine }) => {
    const folder = await machine.directory('~/Desktop');
    const names = isRecord(folder) && Array.isArray(folder['children']) ? folder['children'] : [];
    const shortcuts: Record<string, string> = {};
    for (const { name } of names.filter(isRecord)) {
      if (typeof name !== 'string' || !name.endsWith('.desktop')) continue;
      const bytes = await machine.readFile(`~/Desktop/${name}`);
      if (bytes !== undefined) shortcuts[name] = new TextDecoder().decode(bytes);
    }
    return shortcuts;
  }),
};
