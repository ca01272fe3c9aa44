import { networkProfile } from '../../model/network.ts'
import { type Html, html } from './html.ts'

export const STYLE_PATH = '/assets/page.css'

/** What a page says of itself to crawlers and agents. */
export type About = {
  description?: string
  /** the whole address under which it wants to be known */
  canonical?: string
  /** where the same is Markdown */
  markdown?: string
  /** more of the head, as its JSON-LD */
  head?: Html
}

/** A whole document around `body`; works without JavaScript, in light and dark. */
export function page(title: string, body: Html, about: About = {}): string {
  const { description = networkProfile.description, canonical, markdown, head } = about
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <meta name="description" content="${description}">
  <title>${title}</title>
  <link rel="stylesheet" href="${STYLE_PATH}">
  <link rel="service-desc" href="/openapi.json" type="application/json">
  <link rel="api-catalog" href="/.well-known/api-catalog" type="application/linkset+json">
  ${canonical ? html`<link rel="canonical" href="${canonical}">` : ''}
  ${markdown ? html`<link rel="alternate" href="${markdown}" type="text/markdown">` : ''}
  ${head ?? ''}
</head>
<body>
<header><a href="/">${networkProfile.name}</a><nav aria-label="Site"><a href="/venues">Venues</a> <a href="/docs">Docs</a> <a href="/reference/">API reference</a> <a href="/errors">Errors</a> <a href="/status">Status</a></nav></header>
<main>
${body}
</main>
</body>
</html>
`.markup
}

export const stylesheet = `:root {
  color-scheme: light dark;
  --ground: light-dark(#fbfaf7, #14171a);
  --card: light-dark(#fff, #1c2024);
  --text: light-dark(#1d2327, #e4e7e9);
  --quiet: light-dark(#5b646b, #9aa4ab);
  --line: light-dark(#e3e0d8, #2d3338);
  --accent: light-dark(#0b6b57, #5cc9ae);
}
* { box-sizing: border-box }
body {
  margin: 0 auto; padding: 1.5rem 1.25rem 4rem; max-width: 58rem;
  background: var(--ground); color: var(--text);
  font: 1rem/1.6 system-ui, sans-serif;
}
a { color: var(--accent); text-underline-offset: .2em }
header { display: flex; justify-content: space-between; gap: 1rem; flex-wrap: wrap; color: var(--quiet) }
header > a { font-weight: 650; color: var(--text); text-decoration: none }
header nav a { margin-left: 1rem }
h1 { font-size: clamp(1.8rem, 5vw, 2.6rem); line-height: 1.15; letter-spacing: -.02em; margin: 3rem 0 .75rem; text-wrap: balance }
h2 { font-size: 1.15rem; margin: 2.5rem 0 .75rem }
p { max-width: 42rem }
.quiet { color: var(--quiet) }
code, pre { font: .875em/1.55 ui-monospace, monospace }
pre {
  margin: 0; padding: .9rem 1rem; overflow-x: auto;
  background: var(--card); border: 1px solid var(--line); border-radius: .5rem;
}
.list { display: grid; gap: .75rem; margin: 0; padding: 0; list-style: none }
.list > li {
  padding: .9rem 1.1rem; background: var(--card);
  border: 1px solid var(--line); border-radius: .6rem;
}
.list p { margin: .25rem 0 0 }
.list li:target { border-color: var(--accent); box-shadow: 0 0 0 1px var(--accent) }
.tag { float: right; color: var(--quiet); font-size: .85rem; font-variant-numeric: tabular-nums }
table { width: 100%; border-collapse: collapse; font-size: .92rem }
th { text-align: left; font-weight: 600; color: var(--quiet) }
th, td { padding: .45rem .75rem .45rem 0; border-bottom: 1px solid var(--line); vertical-align: top }
form { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; margin: .75rem 0 }
button, select { font: inherit; padding: .6rem 1rem; border-radius: .5rem; border: 1px solid var(--line); background: var(--card); color: inherit }
button { border-color: var(--accent); font-weight: 600; cursor: pointer }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
.scroll { overflow-x: auto }
`
