import type { FastifyRequest } from 'fastify'
import { setTimeZone } from '../../../accounts/operations/set-time-zone.ts'
import { timeZones } from '../../../base/time-zones.ts'
import * as ui from '../../page/components.ts'
import { doneNotice, postForm, textFields } from '../../page/forms.ts'
import { type Html, html } from '../../page/html.ts'
import { sendPage } from '../../page/page.ts'
import { dashboardPage } from '../layout.ts'
import { type Page, redirectDone } from '../page.ts'
import { browserZone, zoneOf, zoneText } from '../reader-zone.ts'
import { developerOf } from './account.ts'

const PATH = '/dashboard/account/time-zone'
const notices = { saved: 'Saved. Every page shows times in this zone.' }

/** `/dashboard/account/time-zone`: the zone in which the developer reads times. */
export const timeZone: Page = async (scope, { services }) => {
  const show = (request: FastifyRequest, wrong?: string) =>
    dashboardPage(request, {
      title: 'Time zone',
      body: view(request, wrong),
      notice: doneNotice(request, notices),
    })

  scope.get(PATH, async (request, reply) => sendPage(reply, show(request)))

  postForm(scope, PATH, show, async (request, reply) => {
    const { time_zone = null } = textFields(request.body, ['time_zone'])
    await setTimeZone(services, developerOf(request).id, time_zone)
    return redirectDone(reply, PATH, 'saved')
  })
}

function view(request: FastifyRequest, wrong?: string): Html {
  const zone = zoneOf(request)
  const setting = developerOf(request).time_zone ?? ''
  const ofBrowser = browserZone(request)
  const names = [...new Set([...timeZones(), ...(setting ? [setting] : [])])].sort()
  const automatic = ofBrowser ? `As the browser: ${ofBrowser}` : 'As the browser'
  const options = Object.fromEntries([['', automatic], ...names.map((name) => [name, name])])
  return html`
${wrong !== undefined && html`<p class="notice bad" role="alert">${wrong}</p>`}
<p>Times are shown in <strong>${zoneText(zone, new Date())}</strong>, with UTC beside them.
Slots are always in the local time of their venue, and name its zone.</p>
${ui.stackForm(PATH, 'Save', [ui.choice('Time zone', 'time_zone', options, setting)], 'main')}`
}
