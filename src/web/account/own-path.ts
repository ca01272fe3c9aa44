const base = 'http://own.invalid'

/** Returns `next` if it is a path on this server; otherwise `/dashboard`. */
export function ownPath(next: unknown): string {
  if (typeof next !== 'string' || !/^\/[^/\\]/.test(next) || !URL.canParse(next, base)) {
    return '/dashboard'
  }
  const { origin, pathname, search } = new URL(next, base)
  // `/.//host` becomes `//host`, which points to another server.
  return origin === base && !pathname.startsWith('//') ? pathname + search : '/dashboard'
}
