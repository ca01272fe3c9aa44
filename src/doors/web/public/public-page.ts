import { networkProfile } from '../../../contract/rules/network.ts'
import { assetPath } from '../assets.ts'
import { type Html, html } from '../html.ts'
import { type About, page } from '../page.ts'

/** A page for everybody: with the styles that only these have, and the name of the network behind its title. */
export const publicPage = (title: string, body: Html, about: About = {}): string =>
  page(`${title} · ${networkProfile.name}`, body, {
    ...about,
    head: html`<link rel="stylesheet" href="${assetPath('public.css')}">${about.head ?? ''}`,
  })
