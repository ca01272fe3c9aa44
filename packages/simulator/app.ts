import { type FastifyInstance, fastify } from 'fastify'
import { z } from 'zod'
import { openBook } from './book.ts'
import type { Log } from './log.ts'
import { createPlans } from './plans.ts'
import { createPosts } from './posts.ts'
import { createRespond } from './respond.ts'
import { createScript } from './script.ts'
import { createSignatures } from './signatures.ts'
import { tools } from './tools.ts'
import { venueDoor } from './venue-door.ts'

export type SimulatorOptions = {
  /** whsec_…, shared by all simulated venues */
  secret: string
  /** gives access to the tools; without it they are off */
  token?: string | undefined
  /** journal folder; if undefined, everything is in memory */
  folder?: string | undefined
  log: Log
  exit: (code: number) => void
}

/** The simulator, ready to listen. It resumes pending messages from its book. */
export async function buildSimulator(options: SimulatorOptions): Promise<FastifyInstance> {
  const { secret, token, folder, log, exit } = options
  const book = await openBook(folder)
  const signatures = createSignatures(secret)
  const script = createScript()
  const ending = new AbortController()
  const posts = createPosts(book, signatures, log, ending.signal)
  const plans = createPlans(book, posts, ending.signal)
  const respond = createRespond(signatures, exit)

  const app = fastify({ forceCloseConnections: true })
  app.setErrorHandler((error: Error & { statusCode?: number }, _, reply) => {
    if (error instanceof z.ZodError)
      return reply.code(400).send({ detail: 'Invalid request', errors: error.issues })
    return reply.code(error.statusCode ?? 500).send({ detail: error.message })
  })
  await app.register(venueDoor, { book, script, signatures, posts, plans, respond, log })
  await app.register(tools, { token, book, script, posts })
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.addHook('onListen', async () => {
    for (const plan of book.plans.values()) plans.schedule(plan)
    for (const post of book.posts.values()) void posts.send(post)
  })
  app.addHook('onClose', async () => ending.abort())
  return app
}
