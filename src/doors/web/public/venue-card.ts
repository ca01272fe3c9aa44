import type { Venue } from '../../../contract/public.ts'
import { type Html, html } from '../html.ts'
import { categoryWords, dateWords, priceMark } from './venue-text.ts'

/** A venue in a list: what it is, where, and its next times, each of which leads to how it is booked. */
export function venueCard(venue: Venue, partySize: string): Html {
  const { slug, name, category, area, city, description, availability } = venue
  const path = `/venues/${encodeURIComponent(slug)}`
  const party = partySize ? `&party_size=${encodeURIComponent(partySize)}` : ''
  return html`<li class="venue">${venuePicture(venue)}
<div><h3><a href="${path}">${name}</a></h3>
<p class="kind">${categoryWords[category]} · ${area === city ? area : `${area}, ${city}`} · <abbr title="price level ${venue.price_level} of 4">${priceMark(venue.price_level)}</abbr>${venue.is_demo ? ' · demo' : ''}</p>
<p class="brief">${description}</p>
${
  availability.slots.length > 0
    ? html`<ul class="times">${availability.slots.map(({ slot_time }) => {
        const [date = '', clock = ''] = slot_time.split('T')
        const time = clock.slice(0, 5)
        return html`<li><a href="${path}?date=${date}${party}&time=${time}#book">${dateWords(date)}, ${time}</a></li>`
      })}</ul>`
    : html`<p class="quiet">Nothing free in the next few days.</p>`
}</div></li>`
}

/** What stands for a photograph: the initial of the name on the colour of the category. */
export const venuePicture = (
  { name, category }: Pick<Venue, 'name' | 'category'>,
  place: 'masthead' | '' = '',
): Html => html`
<div class="picture ${category} ${place}" aria-hidden="true">${[...name][0] ?? ''}</div>`
