/**
 * The value of `content-security-policy` for some directives. Made once for all answers: putting it together for each cost 4 %
 * of a search.
 */
export const contentPolicy = (directives: Readonly<Record<string, readonly string[]>>): string =>
  Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join(';')

/** Of every answer but the reference: pages have a stylesheet, images and forms of this server, and nothing else. */
export const pagePolicy = contentPolicy({
  'default-src': ["'none'"],
  'style-src': ["'self'"],
  'img-src': ["'self'"],
  'form-action': ["'self'"],
  'frame-ancestors': ["'none'"],
  'base-uri': ["'none'"],
})

const dashboardDirectives = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
  'frame-src': ["'self'"],
  'form-action': ["'self'"],
  'frame-ancestors': ["'none'"],
  'base-uri': ["'none'"],
}

/** Of pages behind a sign-in: scripts too, from files of this server alone, which may ask this server alone. */
export const dashboardPolicy = contentPolicy(dashboardDirectives)

/** The same for what stands in a frame of such a page. */
export const framedPolicy = contentPolicy({ ...dashboardDirectives, 'frame-ancestors': ["'self'"] })
