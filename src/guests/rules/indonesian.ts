import type { GuestWords } from './format-guest-mail.ts'

const CHARGED = 'ditagihkan kepada agen yang memesan untuk Anda'

export const indonesian: GuestWords = {
  locale: 'id-ID',
  clock: '.',
  party: (guests) => `${guests} tamu`,
  mail: {
    subject: {
      confirmed: 'Terkonfirmasi',
      amended: 'Berubah',
      cancelled: 'Dibatalkan',
      declined: 'Tidak jadi',
      reminder: 'Pengingat',
    },
    opening: {
      confirmed: 'Reservasi Anda telah dikonfirmasi.',
      amended: 'Reservasi Anda telah berubah. Berikut rincian terbarunya.',
      cancelled: 'Reservasi Anda telah dibatalkan. Tidak ada lagi yang dipesan.',
      declined: 'Permintaan Anda tidak dapat dikonfirmasi. Tidak ada yang dipesan.',
      reminder: 'Pengingat untuk reservasi Anda.',
    },
    byVenue: 'Pihak tempat terpaksa membatalkan reservasi Anda. Tidak ada lagi yang dipesan.',
    rule: ({ fee, amount, until }) =>
      fee === 'none' || until === null
        ? 'Pembatalan tidak dikenai biaya.'
        : `Pembatalan gratis hingga ${until}. Setelah itu biaya ${amount} ${CHARGED}.`,
    page: 'Lihat reservasi, tambahkan ke kalender, atau batalkan:',
    stop: (network) =>
      `Sebuah agen memesan ini untuk Anda di ${network} dan memberikan alamat email ini. Jika ` +
      'ini bukan Anda, atau Anda tidak ingin menerima email lagi:',
  },
  status({ status, cancelledBy, answerBy }) {
    const by = answerBy ? ` paling lambat ${answerBy}` : ''
    switch (status) {
      case 'pending':
        return `Belum dikonfirmasi. Pihak tempat akan menjawab${by}.`
      case 'offered':
        return `Pihak tempat menawarkan waktu lain. Belum dipesan sampai agen Anda menerima${by}.`
      case 'confirmed':
        return 'Terkonfirmasi.'
      case 'completed':
        return 'Kunjungan ini sudah selesai.'
      case 'no_show':
        return 'Pihak tempat melaporkan bahwa tidak ada yang datang.'
      case 'cancelled':
        return cancelledBy === 'venue' ? 'Dibatalkan oleh pihak tempat.' : 'Dibatalkan.'
      default:
        return 'Tidak dikonfirmasi. Tidak ada yang dipesan.'
    }
  },
  labels: {
    when: 'Waktu',
    proposed: 'Ditawarkan',
    requested: 'Diminta',
    party: 'Jumlah',
    where: 'Tempat',
    name: 'Nama',
    number: 'Reservasi',
  },
  demo: 'Tempat demo. Tidak ada yang menunggu Anda.',
  calendar: 'Tambahkan ke kalender',
  rules: {
    title: 'Pembatalan',
    now: ({ fee, amount, until }) =>
      fee === 'kept'
        ? `Pembatalan gratis hingga ${until}. Jika Anda membatalkan sekarang, biaya ${amount} ` +
          `${CHARGED}.`
        : 'Pembatalan sekarang gratis.',
  },
  deposit: ({ kind, amount, kept_when, how_to_pay }) =>
    [
      kind === 'deposit'
        ? `Tempat ini meminta deposit ${amount}. Bayarkan kepada tempat, bukan kepada kami.`
        : `Tempat ini meminta jaminan kartu ${amount}. Berikan kepada tempat, bukan kepada kami.`,
      how_to_pay === undefined ? undefined : `Caranya: ${how_to_pay}`,
      kept_when === undefined ? undefined : `Menjadi milik tempat: ${kept_when}`,
    ].filter((line) => line !== undefined),
  cancel: {
    link: 'Batalkan reservasi ini',
    question: 'Batalkan reservasi ini?',
    yes: 'Ya, batalkan',
    no: 'Tidak, pertahankan',
    done: 'Reservasi telah dibatalkan.',
    recorded: 'Pembatalan Anda sudah dicatat. Muat ulang halaman ini sebentar lagi.',
    tooLate: 'Reservasi ini tidak dapat dibatalkan lagi.',
    changed: 'Reservasi atau ketentuannya telah berubah. Silakan periksa kembali.',
  },
  mails: {
    title: 'Email tentang reservasi Anda',
    about: (address) => `Email tentang reservasi ini dikirim ke ${address}.`,
    stopBooking: 'Hentikan email tentang reservasi ini',
    stopAddress: 'Hentikan semua email ke alamat ini',
    bookingStopped: 'Tidak ada lagi email tentang reservasi ini.',
    addressStopped: 'Tidak ada lagi email tentang reservasi apa pun ke alamat ini.',
    allow: 'Izinkan email lagi',
    none: 'Tidak ada email yang dikirim tentang reservasi ini.',
  },
  skip: 'Langsung ke isi',
  otherLanguage: { code: 'en', name: 'English' },
}
