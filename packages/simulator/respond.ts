import type { FastifyReply } from 'fastify'
import type { VenueMessage } from './messages.ts'
import type { Behaviour } from './script.ts'
import type { Signatures } from './signatures.ts'
import { withFaults } from './venue-messages.ts'

const EXIT_CODE = 70
const HUGE = 'x'.repeat(2_000_000)

export type Respond = (
  reply: FastifyReply,
  requestId: string,
  message: VenueMessage | undefined,
  behaviour: Behaviour,
) => Promise<void>

/**
 * Sends the response, or fails as scripted; resolves once it is on its way. `exit` ends the
 * process.
 */
export function createRespond(signatures: Signatures, exit: (code: number) => void): Respond {
  return async (reply, requestId, message, behaviour) => {
    const { fail } = behaviour
    const distorted = message && withFaults(message, behaviour)
    const body =
      fail === 'garbage'
        ? '<html>Table reserved!'
        : JSON.stringify(fail === 'huge' ? { ...distorted, padding: HUGE } : distorted)
    const signedHeaders = () => signatures.sign(requestId, body, behaviour.sign)

    switch (fail) {
      case 'hang':
      case 'hang_after':
        reply.hijack()
        return
      case 'crash_before':
      case 'crash_after':
        return crash(reply, behaviour)
      case 'crash_during':
        await sendHalf(reply, body, signedHeaders())
        return crash(reply, behaviour)
      case 'status_500':
      case 'status_503':
        reply.code(Number(fail.slice(7))).send({ detail: 'The venue is failing on purpose' })
        return
      case 'redirect':
        reply.redirect(reply.request.url, 307)
        return
      default:
        reply.headers({ ...signedHeaders(), 'content-type': 'application/json' }).send(body)
    }
  }

  function crash(reply: FastifyReply, behaviour: Behaviour): void {
    reply.hijack()
    reply.raw.destroy()
    if (behaviour.exit) exit(EXIT_CODE)
  }
}

/** Announces the whole body and sends half of it. */
function sendHalf(reply: FastifyReply, body: string, headers: Record<string, string>) {
  reply.hijack()
  const bytes = Buffer.from(body)
  reply.raw.writeHead(200, {
    ...headers,
    'content-type': 'application/json',
    'content-length': bytes.length,
  })
  return new Promise<void>((resolve) =>
    reply.raw.write(bytes.subarray(0, bytes.length / 2), () => resolve()),
  )
}
