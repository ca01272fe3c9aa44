/** The picture of a link to the network itself. */
export const SITE_PICTURE = '/share/network.png'
export const DOCS_PICTURE = '/share/docs.png'

/** The picture of a link to a venue. */
export const venuePicturePath = (slug: string): string =>
  `/share/venues/${encodeURIComponent(slug)}.png`
