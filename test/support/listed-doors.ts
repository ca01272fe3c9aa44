import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'
import { type Doors, openDoors } from './open-doors.ts'

export type Route = { method: string; path: string }

/** Fields that are valid in every form, so that only the form's object matters. */
export const fields = {
  name: 'x',
  held: 'release',
  way: 'numbers',
  from_number: '1',
  url: 'https://a.example/',
  event_types: '*',
  role: 'billing',
  reason: 'x',
}

/** Open doors, with all their addresses. */
export async function openListedDoors(): Promise<{ doors: Doors; routes: Route[] }> {
  const routes: Route[] = []
  const watch = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method, url }) => {
      // Routes with several methods reject every method that an address does not support.
      if (method === 'GET' || method === 'POST') routes.push({ method, path: url })
    })
  }
  subscribe('fastify.initialization', watch)
  const doors = await openDoors({ PAYMENTS: 'local' })
  unsubscribe('fastify.initialization', watch)
  return { doors, routes }
}
