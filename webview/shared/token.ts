// The token comes with the address, is taken out of it at once, and is kept for as long as this tab is open.

const KEPT = 'dartboard-token';

export function takeToken(): string {
  const given = location.hash.slice(1);
  // What begins with a slash is a place in the page.
  if (given !== '' && !given.startsWith('/')) {
    sessionStorage.setItem(KEPT, given);
    history.replaceState(null, '', location.pathname);
  }
  return sessionStorage.getItem(KEPT) ?? '';
}
