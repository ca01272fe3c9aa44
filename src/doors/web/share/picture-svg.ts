import { networkProfile } from '../../../contract/rules/network.ts'
import type { Category } from '../../../contract/rules/venue-kinds.ts'
import { html } from '../html.ts'
import { PICTURE_SIZE } from '../link-preview.ts'
import { wrapText } from './wrap-text.ts'

/** What a picture says. `kind` gives it a colour. */
export type Picture = { title: string; text: string; label: string; kind: Category | 'network' }

const colours: Record<Picture['kind'], { paper: string; ink: string }> = {
  network: { paper: '#0b4f42', ink: '#8fe0c9' },
  restaurant: { paper: '#6d2619', ink: '#f4b5a6' },
  bar: { paper: '#3d2560', ink: '#d3bcf0' },
  gym: { paper: '#173d63', ink: '#a9cdf0' },
  spa: { paper: '#0b4f42', ink: '#8fe0c9' },
}

const LEFT = 80
const WIDTH = PICTURE_SIZE.width - 2 * LEFT
const TITLE = { size: 84, leading: 96, lines: 2 }
const TEXT = { size: 36, leading: 50, lines: 3 }
/** Words that XML 1.0 cannot hold, which a venue may have in its name. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what it finds
const UNPRINTABLE = /[\u0000-\u001f\u007f\ufffe\uffff]|[\ud800-\udfff](?![\udc00-\udfff])/g

const lines = (text: string, { size, lines }: typeof TITLE) =>
  wrapText(text.replaceAll(UNPRINTABLE, ' '), WIDTH / size, lines)

/** The picture as SVG. Texts are escaped, and cut to fit. */
export function pictureSvg({ title, text, label, kind }: Picture): string {
  const { paper, ink } = colours[kind]
  const titleLines = lines(title, TITLE)
  const top = 250
  const textTop = top + titleLines.length * TITLE.leading
  const row = (words: string, y: number) => html`<tspan x="${LEFT}" y="${y}">${words}</tspan>`
  const { width, height } = PICTURE_SIZE
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"
font-family="Inter"><rect width="${width}" height="${height}" fill="${paper}"/>
<circle cx="1130" cy="70" r="330" fill="#fff" fill-opacity=".05"/>
<circle cx="1130" cy="70" r="210" fill="#fff" fill-opacity=".05"/>
<g transform="translate(${LEFT} 72)"><rect width="52" height="52" rx="12" fill="#fff"/>
<path d="M15 15l11 23 11-23" fill="none" stroke="${paper}" stroke-width="6"
stroke-linecap="round" stroke-linejoin="round"/></g>
<text x="${LEFT + 72}" y="110" font-size="34" font-weight="700" fill="#fff"
>${networkProfile.name}</text>
<text font-size="${TITLE.size}" font-weight="700" fill="#fff">${titleLines.map((line, nth) =>
    row(line, top + nth * TITLE.leading),
  )}</text>
<text font-size="${TEXT.size}" fill="#fff" fill-opacity=".85">${lines(text, TEXT).map((line, nth) =>
    row(line, textTop + nth * TEXT.leading - 20),
  )}</text>
<text x="${LEFT}" y="570" font-size="30" font-weight="700" fill="${ink}">${
    lines(label, { size: 30, leading: 0, lines: 1 })[0]
  }</text></svg>`.markup
}
