/** What an email says, apart from how it looks; `tone` is the colour of its state. */
export type MailParts = {
  locale: string
  tone: 'good' | 'wait' | 'bad'
  opening: string
  venue: string
  when: string
  /** what, for how many and where */
  lines: readonly string[]
  links: readonly (readonly [text: string, href: string])[]
  paragraphs: readonly string[]
  button: readonly [text: string, href: string]
  /** other buttons, which look less important */
  others?: readonly MailParts['button'][]
  why: string
  stop: readonly [text: string, href: string]
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replaceAll(/[&<>"]/g, (mark) => entities[mark] ?? '')
/** A text of a venue or an operator keeps its own direction of writing. */
const foreign = (text: string) => `<bdi>${escaped(text)}</bdi>`

// Mail programs drop style sheets in files, and some drop all but inline styles: what must hold
// everywhere is inline, and the style element adds the dark colours.
const style = `
  body { margin: 0; background: #f4f2ec; }
  @media (prefers-color-scheme: dark) {
    body, .ground { background: #0d1012 !important; }
    .card { background: #1a1e21 !important; }
    .card, .card p, .card h1 { color: #e6e9eb !important; }
    .card a { color: #5cc9ae !important; }
    .card a { border-color: #5cc9ae !important; }
    .card a.button { background: #5cc9ae !important; color: #10201c !important; }
    .foot, .foot a { color: #9aa4ab !important; }
  }`
const tones = { good: '#0b6b57', wait: '#8a5a00', bad: '#a4262c' }
const P = 'margin:0 0 16px;color:#1b2125'
const GREEN = 'style="color:#0b6b57"'
const BUTTON =
  'display:inline-block;margin:0 4px 16px 0;padding:12px 20px;border:1px solid #0b6b57;' +
  'border-radius:8px;font-weight:bold;text-decoration:none'

const link = ([text, href]: MailParts['button'], more: string) =>
  `<a href="${escaped(href)}" ${more}>${escaped(text)}</a>`

const textLinks = (links: MailParts['links']) =>
  links.length === 0
    ? ''
    : `<p style="${P}">${links.map((one) => link(one, GREEN)).join(' &nbsp; ')}</p>`

const buttons = ({ button, others = [] }: MailParts) =>
  [
    link(button, `class="button" style="${BUTTON};background:#0b6b57;color:#ffffff"`),
    ...others.map((one) => link(one, `style="${BUTTON};color:#0b6b57"`)),
  ].join(' ')

/** An email as HTML that mail programs show on a phone and in dark mode, without pictures. */
export function mailHtml(parts: MailParts): string {
  const { locale, tone, opening, venue, when, lines, links, paragraphs, why, stop } = parts
  const line = (text: string) => `<p style="${P}">${foreign(text).replaceAll('\n', '<br>')}</p>`
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escaped(opening)}</title>
<style>${style}</style>
</head>
<body>
<table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0"
style="background:#f4f2ec"><tr><td align="center" style="padding:16px 8px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0"
style="max-width:560px;background:#ffffff;border-radius:12px;table-layout:fixed"><tr>
<td style="padding:24px;border-top:8px solid ${tones[tone]};border-radius:12px;
overflow-wrap:anywhere;font:16px/1.5 Arial,sans-serif;color:#1b2125">
<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3">${escaped(opening)}</h1>
<p style="${P};font-size:18px"><strong>${foreign(venue)}<br>${escaped(when)}</strong></p>
<p style="${P}">${lines.map(foreign).join('<br>')}</p>
${textLinks(links)}
<p style="margin:0 0 8px">${buttons(parts)}</p>
${paragraphs.map(line).join('\n')}
</td></tr></table>
<p class="foot" style="max-width:560px;margin:16px 8px;font:13px/1.5 Arial,sans-serif;
color:#59626a;text-align:left">${escaped(why)} ${link(stop, 'style="color:#59626a"')}</p>
</td></tr></table>
</body>
</html>
`
}
