const base = 'http://own.invalid'

/** The path of this server in `next`. Anything else, such as another server, is `/dashboard`. */
export function ownPath(next: unknown): string {
  if (typeof next !== 'string' || !/^\/[^/\\]/.test(next) || !URL.canParse(next, base)) {
    return '/dashboard'
  }
  const { origin, pathname, search } = new URL(next, base)
  // `/.//host` becomes `//host`, the address of another server.
  return origin === base && !pathname.startsWith('//') ? pathname + search : '/dashboard'
}
