// The metrics of tabs, addresses, bookmarks and pages of a browser, by name.

import type { Metrics } from '../metric.ts';
import { isExpectedBookmarks } from './check-bookmarks.ts';
import {
  checkEnabledExperiments,
  checkFontSize,
  checkHistoryDeleted,
  isCookieDeleted,
  isExpectedInstalledExtensions,
  isShortcutOnDesktop,
} from './check-browser-settings.ts';
import {
  isAddedToSteamCart,
  isExpectedActiveTab,
  isExpectedActiveTabApproximate,
  isExpectedSearchQuery,
  isExpectedTabs,
  isExpectedUrlPatternMatch,
} from './check-tabs.ts';
import { compareHtmls } from './compare-htmls.ts';

export const BROWSER_METRICS = {
  is_expected_active_tab: isExpectedActiveTab,
  is_expected_active_tab_approximate: isExpectedActiveTabApproximate,
  is_expected_url_pattern_match: isExpectedUrlPatternMatch,
  is_expected_installed_extensions: isExpectedInstalledExtensions,
  is_expected_tabs: isExpectedTabs,
  is_expected_bookmarks: isExpectedBookmarks,
  is_expected_search_query: isExpectedSearchQuery,
  is_cookie_deleted: isCookieDeleted,
  is_shortcut_on_desktop: isShortcutOnDesktop,
  check_font_size: checkFontSize,
  check_enabled_experiments: checkEnabledExperiments,
  check_history_deleted: checkHistoryDeleted,
  is_added_to_steam_cart: isAddedToSteamCart,
  compare_htmls: compareHtmls,
} satisfies Metrics;
