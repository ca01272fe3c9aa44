import type { FastifyReply, FastifyRequest } from 'fastify'
import { SESSION_MAX_DAYS, tokenPattern } from '../../accounts/rules/sign-in.ts'

/** The cookie that carries a session's token: never readable by scripts, never sent along from other sites' forms. */
export type SessionCookie = {
  read(request: FastifyRequest): string | undefined
  write(reply: FastifyReply, token: string): void
  clear(reply: FastifyReply): void
}

/** On https the name begins with `__Host-` (RFC 6265bis, 4.1.3.2), so that no other host can set it. */
export function createSessionCookie(publicUrl: string): SessionCookie {
  const isSecure = publicUrl.startsWith('https:')
  const name = isSecure ? '__Host-venue_session' : 'venue_session'
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return {
    read(request) {
      const pairs = request.headers.cookie?.split(';') ?? []
      const own = pairs.map((pair) => pair.trim()).find((pair) => pair.startsWith(`${name}=`))
      const token = own?.slice(name.length + 1)
      return token && tokenPattern.test(token) ? token : undefined
    },
    write(reply, token) {
      reply.header(
        'set-cookie',
        `${name}=${token}; ${attributes}; Max-Age=${SESSION_MAX_DAYS * 86_400}`,
      )
    },
    clear(reply) {
      reply.header('set-cookie', `${name}=; ${attributes}; Max-Age=0`)
    },
  }
}
