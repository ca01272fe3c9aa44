import { randomUUIDv7 } from 'node:crypto'
import { createTransport } from 'nodemailer'
import type { Db } from '../database/sql.ts'
import { namesLoopback } from '../http/target.ts'
import type { Log } from '../telemetry/log.ts'
import { insertMail } from './dev-mailbox.ts'

const TIMEOUT_MS = 10_000

/** A file attached to an email: `type` is its media type. */
type Attachment = { name: string; type: string; content: string }

export type Mail = {
  to: string
  subject: string
  text: string
  /** the same as HTML, for programs that show it */
  html?: string
  /** a UUID: sending the same email again uses the same Message-ID */
  id?: string
  /** what the email is about; the email is erased together with it */
  subjectId?: string
  headers?: Record<string, string>
  attachment?: Attachment | undefined
}

/** Sends text, and HTML if there is any; rejects if no server accepts it. */
export type SendMail = (mail: Mail) => Promise<void>

/** The server has said that this address does not exist. */
export class AddressRefused extends Error {}

type MailVariables = {
  SMTP_URL?: string | undefined
  MAIL_FROM?: string | undefined
  NODE_ENV: string
}

/** Sends by SMTP, into `/dev/mail` on a development machine, or not at all. */
export const mailTransport = ({
  SMTP_URL,
  NODE_ENV,
}: MailVariables): 'smtp' | 'devMailbox' | 'none' => {
  if (SMTP_URL) return 'smtp'
  return NODE_ENV === 'production' ? 'none' : 'devMailbox'
}

/** Logs contain neither addresses nor message texts. */
export function createSendMail(config: MailVariables, db: Db, log: Log): SendMail {
  const { SMTP_URL, MAIL_FROM } = config
  if (SMTP_URL) return throughSmtp(SMTP_URL, MAIL_FROM ?? '', log)
  if (mailTransport(config) === 'none') {
    log.warn('SMTP_URL is not set: no email is sent, so no address can be verified')
    return async (mail) => log.warn(loggedSubject(mail), 'an email was dropped')
  }
  return async (mail) => {
    const { to, subject, text, id = randomUUIDv7(), subjectId, attachment = null } = mail
    const row = { id, recipient: to, subject, body: text, attachment, created_at: new Date() }
    await insertMail(db, row, subjectId)
    log.info({ mail_id: id, ...loggedSubject(mail) }, 'an email was stored for /dev/mail')
  }
}

function throughSmtp(url: string, from: string, log: Log): SendMail {
  const { hostname, port, protocol, username, password } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const auth = { user: decodeURIComponent(username), pass: decodeURIComponent(password) }
  const transport = createTransport({
    host,
    port: Number(port) || (protocol === 'smtps:' ? 465 : 587),
    secure: protocol === 'smtps:',
    // A man in the middle could hide STARTTLS and read credentials and links.
    requireTLS: protocol === 'smtp:' && !namesLoopback(host),
    ...(username && { auth }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const domain = /@([^\s>]+)/.exec(from)?.[1]
  return async (mail) => {
    const { to, subject, text, html, id, headers = {}, attachment } = mail
    const { name = '', type = '', content = '' } = attachment ?? {}
    await transport
      .sendMail({
        from,
        to: { name: '', address: to },
        subject,
        text,
        ...(html && { html }),
        headers,
        ...(id && { messageId: `<${id}@${domain}>` }),
        ...(attachment && { attachments: [{ filename: name, contentType: type, content }] }),
      })
      .catch((error) => rethrow(error, log))
    log.info({ ...(id && { mail_id: id }), ...loggedSubject(mail) }, 'a mail was sent')
  }
}

/** The subject line names the guest's venue and time. */
const loggedSubject = ({ subject, subjectId }: Mail) => (subjectId ? {} : { subject })

const ADVICE =
  'The mail server refuses this email for now: check SMTP_URL and MAIL_FROM, and whether the ' +
  'server relays for this network.'

/** Passes on codes only, because mail servers repeat the address in their messages. */
function rethrow(error: unknown, log: Log): never {
  const { code, responseCode, command, response } = error as Record<string, unknown>
  const where = [code, responseCode, command].filter((word) => /^[A-Z\d ]+$/.test(String(word)))
  const message = `the mail server refused an email: ${where.join(', ') || 'no reason given'}`
  if (Number(responseCode) < 500 || responseCode === undefined) throw new Error(message)
  // Enhanced status codes (RFC 3463): 5.1 is about addresses.
  const [, detail] = /^\d{3}[ -](5\.\d+)\.\d/.exec(String(response)) ?? []
  const isNobody = detail ? detail === '5.1' : [550, 551, 553].includes(Number(responseCode))
  if (command === 'RCPT TO' && isNobody) throw new AddressRefused(message)
  // a mailbox that is full (5.2) is nobody's fault here
  if (detail !== '5.2') log.error({ error: message, status: detail }, ADVICE)
  throw new Error(message)
}

/** Sends a limited number at a time and refuses more, so that a server is not flooded. */
export function atMost(most: number, send: SendMail): SendMail {
  let sending = 0
  return async (mail) => {
    if (sending >= most) throw new Error('too many emails are being sent')
    sending += 1
    try {
      await send(mail)
    } finally {
      sending -= 1
    }
  }
}
