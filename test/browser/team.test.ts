import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openChromium } from '../support/chromium.ts'
import { mailsTo, tokenIn } from '../support/developers.ts'
import { looksOf, openView, type View } from '../support/looks.ts'
import { openService, type Service } from '../support/network.ts'

let service: Service
let chromium: Browser
beforeAll(async () => {
  service = await openService()
  chromium = await openChromium()
}, 120_000)
afterAll(async () => {
  await chromium?.close()
  await service?.close()
})

describe.each(looksOf('wide'))('a team (%s)', (look) => {
  const owner = `owner-${look}@example.com`
  const invited = `invited-${look}@example.com`
  let theirs: View
  let own: View
  let clicks = 0

  const click = async (view: View, name: string) => {
    clicks += 1
    await view.button(name)
  }

  beforeAll(async () => {
    own = await openView(chromium, { url: service.url, look })
    theirs = await openView(chromium, { url: service.url, look })
    await own.page.goto('/sign-up')
    await own.page.getByLabel('Email').fill(owner)
    await own.page.getByLabel('Password').fill('correct horse battery')
    await own.button('Create account')
    await service.db.query('update developer set verified_at = now() where email = $1', [owner])
  })
  afterAll(async () => {
    await own?.close()
    await theirs?.close()
  })

  test('is joined three clicks after the owner decides to invite somebody', async () => {
    await own.go('Members')
    clicks += 1
    await own.page.getByLabel('Email').fill(invited)
    await own.page.getByLabel('Role', { exact: true }).selectOption('read-only')
    await click(own, 'Send invitation')
    await own.shows('Invitation sent.')
    await own.see('members')
    const [mail] = await mailsTo(service.db, invited)
    await theirs.page.goto(`/join?token=${tokenIn(mail)}`)
    await theirs.see('join')
    await theirs.page.getByLabel('Password').fill('battery staple horse')
    await click(theirs, 'Create account and join')
    await theirs.shows('Welcome. You joined this account.')
    expect(clicks).toBe(3)
  })

  test('shows a read-only member everything, and offers no changes', async () => {
    await theirs.go('Keys')
    expect(await theirs.page.getByRole('button', { name: 'Create key' }).count()).toBe(0)
    await theirs.shows('Your role, read-only, cannot change this.')
    await theirs.see('keys-read-only')
    await theirs.go('Audit log')
    await theirs.page.getByRole('cell', { name: 'Member joined' }).waitFor()
    await theirs.see('audit')
  })

  test('signs out a member who is removed', async () => {
    await own.go('Members')
    await own.button(`Remove ${invited}`)
    await own.shows(`Remove ${invited}?`)
    await own.button('Remove')
    await own.shows('Member removed.')
    await theirs.page.goto('/dashboard/keys')
    expect(new URL(theirs.page.url()).pathname).toBe('/sign-in')
  })

  test('has no faults on any page', () => {
    expect([...own.faults, ...theirs.faults]).toEqual([])
  })
})
