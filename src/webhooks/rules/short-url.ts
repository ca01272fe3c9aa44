/** Host and path of a URL. The query may contain a secret. */
export function shortUrl(url: string): string {
  if (!URL.canParse(url)) return url
  const { host, pathname } = new URL(url)
  return pathname === '/' ? host : host + pathname
}
