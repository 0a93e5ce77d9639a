// The token arrives in the address. The page removes it from there and keeps it in the tab's session storage.

const STORAGE_KEY = 'dartboard-token';

export function takeToken(): string {
  const fragment = location.hash.slice(1);
  // A fragment that starts with a slash is a place in the page.
  if (fragment !== '' && !fragment.startsWith('/')) {
    sessionStorage.setItem(STORAGE_KEY, fragment);
    history.replaceState(null, '', location.pathname);
  }
  return sessionStorage.getItem(STORAGE_KEY) ?? '';
}
