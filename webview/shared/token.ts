// The token arrives in the address. The page removes it from there and keeps it in the tab's session storage.

const STORAGE_KEY = 'dartboard-token';

export function takeToken(): string {
  const fragment = location.hash.slice(1);
  // A fragment that starts with a slash is a place in the page.
  if (fragment !== '' && !fragment.startsWith('/')) {
    // A token contains no slash; a place in the page may follow it.
    const slash = fragment.indexOf('/');
    const [token, place] =
      slash < 0 ? [fragment, ''] : [fragment.slice(0, slash), `#${fragment.slice(slash)}`];
    sessionStorage.setItem(STORAGE_KEY, token);
    history.replaceState(null, '', `${location.pathname}${place}`);
  }
  return sessionStorage.getItem(STORAGE_KEY) ?? '';
}
