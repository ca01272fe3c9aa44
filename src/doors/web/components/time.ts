import { type Html, html } from '../html.ts'

/** A moment in UTC to the minute, which a script turns into how long ago that is; a dash for none. */
export const when = (at: Date | string | null | undefined): Html =>
  at ? html`<relative-time>${exactly(at)}</relative-time>` : html`<span class="quiet">–</span>`

/** A moment in UTC to the minute, for the middle of a sentence. */
export function exactly(at: Date | string): Html {
  const iso = new Date(at).toISOString()
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`
}

/** A local slot time as people read it: `2026-12-24 19:00`. */
export const localMinute = (slotTime: string): string => slotTime.slice(0, 16).replace('T', ' ')
