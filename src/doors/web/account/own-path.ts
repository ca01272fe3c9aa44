const base = 'http://own.invalid'

/** The path of this server that `next` names, `/dashboard` for everything else, addresses of other servers before all. */
export function ownPath(next: unknown): string {
  if (typeof next !== 'string' || !/^\/[^/\\]/.test(next) || !URL.canParse(next, base)) {
    return '/dashboard'
  }
  const { origin, pathname, search } = new URL(next, base)
  // `/.//host` becomes `//host`, which is an address of another server
  return origin === base && !pathname.startsWith('//') ? pathname + search : '/dashboard'
}
