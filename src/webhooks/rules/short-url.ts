/** The host and path of a URL. Leaves out the query, which may contain a secret. */
export function shortUrl(url: string): string {
  if (!URL.canParse(url)) return url
  const { host, pathname } = new URL(url)
  return pathname === '/' ? host : host + pathname
}
