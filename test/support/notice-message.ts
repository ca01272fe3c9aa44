import type { NoticeMessage } from '../../src/notices/rules/message.ts'

/** A booking that waits for an answer. */
export const bookingInNotice = {
  ...{ id: '019ad0c1-0000-7000-8000-000000000001', revision: 2, status: 'pending' as const },
  ...{ slotTime: '2026-12-05T19:00:00', endsAt: new Date('2026-12-05T13:00Z'), partySize: 4 },
  ...{ service: 'Dinner, 90 min', guestName: 'Ayu <b>Sari</b>', notes: 'A window, please' },
  ...{ answerBy: new Date('2026-12-01T10:15Z'), before: null },
}
/** A notice of it. */
export const noticeMessage = (more: Partial<NoticeMessage> = {}): NoticeMessage => ({
  ...{ attemptId: '019ad0c1-0000-4000-8000-000000000002', kind: 'request.waiting' },
  ...{ at: new Date('2026-12-01T10:00Z'), language: 'en', booking: bookingInNotice, day: null },
  venue: { slug: 'warung', name: 'Warung & Co', timezone: 'Asia/Makassar', phone: null },
  person: { id: '019ad0c1-0000-7000-8000-000000000003', name: 'Ketut' },
  url: 'https://network.example/venue/notice/abc',
  ...more,
})
