import { networkProfile } from '../../base/network.ts'
import { assetPath } from './assets.ts'
import { type Html, html } from './html.ts'

const PICTURE_SIZE = { width: 1200, height: 630 }

/** `picture`: a file name in `pictures`. */
type Previewed = { description?: string; picture?: string }

/** Open Graph (ogp.me) and Twitter tags: how other sites preview a link to this page. */
export function linkPreview(
  title: string,
  address: string,
  { description = networkProfile.description, picture = 'site.png' }: Previewed,
): Html {
  const image = new URL(assetPath(picture), address).href
  const properties = {
    'og:type': 'website',
    'og:site_name': networkProfile.name,
    'og:title': title,
    'og:description': description,
    'og:url': address,
    'og:image': image,
    'og:image:width': PICTURE_SIZE.width,
    'og:image:height': PICTURE_SIZE.height,
    'og:image:alt': title,
  }
  return html`${Object.entries(properties).map(
    ([name, value]) => html`<meta property="${name}" content="${value}">`,
  )}<meta name="twitter:card" content="summary_large_image">`
}
