import { type Html, html } from '../html.ts'

/** A moment in UTC to the minute, which a script turns into how long ago that is; a dash for none. */
export function when(at: Date | string | null | undefined): Html {
  if (!at) return html`<span class="quiet">–</span>`
  const iso = new Date(at).toISOString()
  return html`<relative-time><time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time></relative-time>`
}

/** A local slot time as people read it: `2026-12-24 19:00`. */
export const localMinute = (slotTime: string): string => slotTime.slice(0, 16).replace('T', ' ')
