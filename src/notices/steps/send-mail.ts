import { AddressRefused, type SendMail } from '../../platform/mail/send-mail.ts'
import type { ChannelSender } from '../rules/channel.ts'
import { noticeMail } from '../rules/notice-text.ts'

/** Sends notices by email. Sent again, an email has the same Message-ID. */
export const createMailSender =
  (sendMail: SendMail): ChannelSender =>
  async (message, address) => {
    const { attemptId: id, booking, url } = message
    try {
      await sendMail({
        ...{ to: address, id, ...noticeMail(message) },
        ...(booking && { subjectId: booking.id }),
        // unsubscribes with one click, without signing in (RFC 8058)
        headers: {
          'List-Unsubscribe': `<${url}/stop>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        },
      })
      return { status: 'sent' }
    } catch (error) {
      if (!(error instanceof AddressRefused)) throw error
      return { status: 'failed', failure: error.message, ends: 'gone' }
    }
  }
